#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A real Kubernetes of one node on this machine, without systemd, a network or a registry: etcd, API server, controllers,
# scheduler, kubelet, containerd and runc. It needs root, Go, Python, and
#   apt-get install --no-install-recommends containerd runc containernetworking-plugins mmdebstrap
#
#   one-node.sh programs BIN                              builds the programs, if they are not there: minutes
#   one-node.sh rootfs FILE                               makes a root file system with a Java runtime from Debian's packages, if it is not there
#   one-node.sh up DIR BIN ETCD                           DIR, for all its files, must be empty; ETCD is a program
#   one-node.sh image DIR NAME DOCKERFILE ROOTFS CONTEXT  makes an image, and gives it to the node
#   one-node.sh down DIR                                  ends all processes and removes all mounts, whatever is left of it
#
# Then: BIN/kubectl --kubeconfig DIR/kubeconfig get pods
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
version=1.34.4
what=${1:?programs, rootfs, up, image or down}
api=16443
etcd=12379
peer=12380

fail() {
  printf 'one-node: %s\n' "$1" >&2
  exit 1
}

programs() { # BIN
  mkdir -p "$1"
  for program in kubectl kube-scheduler kube-apiserver kube-controller-manager kubelet; do
    [ -x "$1/$program" ] || (
      cd "$here"
      CGO_ENABLED=0 nice go build -mod=readonly -trimpath -ldflags='-s -w' -o "$1/$program.new" "k8s.io/kubernetes/cmd/$program"
      mv "$1/$program.new" "$1/$program"
    )
  done
  # what holds the namespaces of a Pod
  [ -x "$1/pause" ] || (
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cd "$work"
    cat >main.go <<'G'
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
}
G
    CGO_ENABLED=0 go build -o "$1/pause" main.go
  )
}

rootfs() { # FILE
  [ -f "$1" ] && return
  mkdir -p "$(dirname "$1")"
  sources=
  for each in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
    [ -s "$each" ] && sources=$each
  done
  nice mmdebstrap --variant=minbase --include=openjdk-17-jre-headless bookworm "${1%.tar}.new.tar" ${sources:+"$sources"}
  mv "${1%.tar}.new.tar" "$1"
}

start() { # NAME COMMAND...
  name=$1
  shift
  ("$@" >"$dir/$name.log" 2>&1 </dev/null & echo $! >"$dir/$name.pid")
}

await() { # WHAT COMMAND...
  waited=$1
  shift
  for _ in $(seq 240); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.5
  done
  tail -n 5 "$dir"/*.log >&2
  fail "$waited does not become ready"
}

import() { # FILE
  ctr -a "$sock" -n k8s.io images import --snapshotter "$snapshotter" "$1" >/dev/null
  rm "$1"
}

ready() { curl -sk -H 'Authorization: Bearer local' "https://127.0.0.1:$api/readyz" | grep -q '^ok'; }
node_ready() { "$bin/kubectl" --kubeconfig kubeconfig get node localhost | grep -q ' Ready'; }

configure() {
  openssl genrsa -out sa.key 2048 2>/dev/null
  echo 'local,admin,1,"system:masters"' >tokens.csv
  chmod 600 tokens.csv sa.key
  cat >kubeconfig <<Y
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:$api", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: local}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
Y
  # without restrict_oom_score_adj runc fails with "can't get final child's PID from pipe: EOF"
  cat >containerd.toml <<Y
version = 2
root = "$dir/containerd"
state = "$dir/containerd-state"
[grpc]
  address = "$sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "quorate.test/pause:1"
  disable_apparmor = true
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$dir/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "$snapshotter"
Y
  mkdir -p cni
  echo '{"cniVersion":"0.4.0","name":"lo","plugins":[{"type":"loopback"}]}' >cni/loopback.conflist
  # from 1.35 on the kubelet refuses cgroup v1 unless told otherwise
  cat >kubelet.yaml <<Y
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: 127.0.0.1
port: 11250
readOnlyPort: 0
healthzPort: 11248
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
failSwapOn: false
failCgroupV1: false
containerRuntimeEndpoint: unix://$sock
podLogsDir: $dir/pod-logs
evictionHard: {imagefs.available: "1%", nodefs.available: "1%", memory.available: "100Mi"}
Y
}

up() {
  [ "$(id -u)" = 0 ] || fail "needs root"
  [ -z "$(ls -A "$dir")" ] || fail "$dir is not empty: name another directory"
  cd "$dir"
  configure
  start etcd "$store" --data-dir data --log-level warn --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd" \
    --listen-peer-urls "http://127.0.0.1:$peer" --initial-advertise-peer-urls "http://127.0.0.1:$peer" --initial-cluster "default=http://127.0.0.1:$peer"
  start containerd containerd -c containerd.toml
  start kube-apiserver "$bin/kube-apiserver" --etcd-servers="http://127.0.0.1:$etcd" --bind-address=127.0.0.1 --secure-port=$api \
    --cert-dir=certificates --token-auth-file=tokens.csv --authorization-mode=AlwaysAllow --allow-privileged=true \
    --service-account-key-file=sa.key --service-account-signing-key-file=sa.key --service-account-issuer=https://kubernetes.default.svc \
    --disable-admission-plugins=ServiceAccount --service-cluster-ip-range=10.0.0.0/24 --endpoint-reconciler-type=none
  await 'the API server' ready
  await containerd ctr -a "$sock" version
  tar cf pause.tar -C "$bin" pause
  printf 'FROM scratch\nCOPY --chown=0:0 . /empty\nENTRYPOINT ["/pause"]\n' >pause.docker
  mkdir empty
  python3 "$here/image.py" pause.docker pause.tar empty quorate.test/pause:1 image.tar
  import image.tar
  # all controllers: without that of nodes the node keeps the taint of one that is not ready
  start kube-controller-manager "$bin/kube-controller-manager" --kubeconfig=kubeconfig --bind-address=127.0.0.1 --leader-elect=false --controllers='*'
  start kube-scheduler "$bin/kube-scheduler" --kubeconfig=kubeconfig --bind-address=127.0.0.1 --leader-elect=false
  start kubelet "$bin/kubelet" --config=kubelet.yaml --kubeconfig=kubeconfig --root-dir="$dir/kubelet" --cert-dir="$dir/kubelet-certificates" \
    --hostname-override=localhost
  await 'the node' node_ready
}

# The processes of these names that were started here and have not ended.
ours() {
  for name in "$@"; do
    pid=$(cat "$dir/$name.pid" 2>/dev/null) || continue
    # another process may have got the number
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" != "$(printf %.15s "$name")" ] || echo "$pid"
  done
}

end() { # NAME...
  for pid in $(ours "$@"); do kill "$pid" 2>/dev/null || true; done
  for _ in $(seq 100); do
    [ -n "$(ours "$@")" ] || return 0
    sleep 0.1
  done
  for pid in $(ours "$@"); do kill -9 "$pid" 2>/dev/null || true; done
}

shims() {
  for each in /proc/[0-9]*; do
    tr '\0' ' ' 2>/dev/null <"$each/cmdline" | grep -q "^[^ ]*containerd-shim[^ ]* .*-address $sock " && echo "${each#/proc/}"
  done || true
}

down() {
  end kubelet kube-scheduler kube-controller-manager kube-apiserver
  for task in $(ctr -a "$sock" -n k8s.io tasks ls -q 2>/dev/null); do
    ctr -a "$sock" -n k8s.io tasks rm -f "$task" >/dev/null 2>&1 || true
  done
  end containerd etcd
  for pid in $(shims); do
    for child in $(cat "/proc/$pid/task/"*/children 2>/dev/null); do kill -9 "$child" 2>/dev/null || true; done
    kill -9 "$pid" 2>/dev/null || true
  done
  awk -v d="$dir/" 'index($5, d) == 1 {print $5}' /proc/self/mountinfo | sort -r | xargs -r umount -l
  # the kubelet makes these here, wherever its own files are
  find /var/log/containers -lname "$dir/*" -delete 2>/dev/null || true
  for pid in $(shims) $(ours kubelet kube-scheduler kube-controller-manager kube-apiserver containerd etcd); do
    fail "process $pid is left"
  done
}

case $what in
  programs | rootfs)
    mkdir -p "$(dirname "$2")"
    "$what" "$(realpath -m "$2")"
    exit
    ;;
esac
mkdir -p "$2"
dir=$(cd "$2" && pwd)
sock=$dir/containerd.sock
snapshotter=native
! grep -qw overlay /proc/filesystems || snapshotter=overlayfs
case $what in
  up)
    bin=$(realpath "$3")
    store=$(realpath "$4")
    up
    ;;
  image)
    python3 "$here/image.py" "$4" "$5" "$6" "$3" "$dir/image.tar"
    import "$dir/image.tar"
    ;;
  down) down ;;
  *) fail "no command '$what'" ;;
esac

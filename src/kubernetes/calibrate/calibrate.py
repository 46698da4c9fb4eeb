#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what a real kube-apiserver asks etcd, for kubernetes-requests.csv; see README.md.

  calibrate.py build VERSION            builds kube-apiserver and the counter; VERSION is 1.36 or 1.37
  calibrate.py table VERSION [--write]  prints what differs from the table; --write changes the table
  calibrate.py truth VERSION            compares a real API server with the scenario kubernetes-nodes
"""
import argparse, base64, collections, concurrent.futures, csv, http.client, json, os, pathlib, re, signal, ssl, subprocess, sys, tempfile, threading, time

HERE = pathlib.Path(__file__).resolve().parent
HOME = HERE.parents[2]
TABLE = HOME / "bench-core/src/main/resources/io/quorate/scenario/yaml/kubernetes-requests.csv"
PROGRAMS = pathlib.Path(os.environ.get("PROGRAMS", pathlib.Path.home() / ".cache/quorate/calibrate"))
ETCD = os.environ.get("ETCD", str(pathlib.Path.home() / ".cache/quorate/etcd/3.7.3/etcd"))
QUORATE = os.environ.get("QUORATE", str(HOME / "quorate"))
PATCHES = {"1.36": "1.36.3", "1.37": "1.37.2"}  # all other modules follow from them; Go checks their sums
NODES, PODS, CHANGES = 100, 1_000, 2  # nodes, Pods, and Pods that start or are removed in a second
CHECK, WATCH = 225, 150  # from then until END, each resource is checked once, and each watch starts once
END = 600  # the second checks and restarts are not before
SPEC = "spec.containers{app}"


# --- programs ---------------------------------------------------------------------------------------------------------

def build(version):
    """Builds from modules only. The API server needs its parts as replacements, as its own repository has them."""
    PROGRAMS.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, CGO_ENABLED="0", GOFLAGS="-mod=mod -buildvcs=false")
    subprocess.run(["go", "build", "-trimpath", "-o", PROGRAMS / "counter", "."], cwd=HERE, check=True,
                   env=dict(environment, GOFLAGS="-mod=readonly -buildvcs=false"))
    patch = PATCHES[version]
    with tempfile.TemporaryDirectory() as directory:
        module = json.loads(subprocess.run(["go", "mod", "download", "-json", f"k8s.io/kubernetes@v{patch}"],
                                           cwd=directory, check=True, capture_output=True).stdout)
        lines = pathlib.Path(module["GoMod"]).read_text().splitlines()
        parts = sorted({line.split()[0] for line in lines if re.fullmatch(r"\tk8s\.io/\S+ v0\.0\.0", line)})
        pathlib.Path(directory, "go.mod").write_text("\n".join(
            ["module calibrate"] + [line for line in lines if line.startswith(("go ", "godebug "))]
            + [f"require k8s.io/kubernetes v{patch}"]
            + [f"replace {part} => {part} v0{patch[1:]}" for part in parts]) + "\n")
        about = "k8s.io/component-base/version.git"
        flags = f"-s -w -X {about}Version=v{patch} -X {about}Major=1 -X {about}Minor={version[2:]}"
        subprocess.run(["nice", "go", "build", "-trimpath", "-ldflags", flags, "-o", api_server(version),
                        "k8s.io/kubernetes/cmd/kube-apiserver"], cwd=directory, check=True, env=environment)


def api_server(version):
    return PROGRAMS / f"kube-apiserver-{PATCHES[version]}"


def certificates(directory, address):
    """Makes a certificate authority, a server, an administrator, and the key of service accounts, for a day."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl = lambda *words: subprocess.run(["openssl", *words], cwd=directory, check=True, capture_output=True)
    openssl("req", "-x509", *key, "-days", "1", "-subj", "/CN=ca", "-keyout", "ca.key", "-out", "ca.crt")
    for name, subject, extension in (
            ("server", "/CN=kube-apiserver", f"subjectAltName=IP:{address},IP:10.96.0.1"),
            ("admin", "/O=system:masters/CN=admin", "extendedKeyUsage=clientAuth")):
        pathlib.Path(directory, "extension").write_text(extension)
        openssl("req", *key, "-subj", subject, "-keyout", f"{name}.key", "-out", f"{name}.csr")
        openssl("x509", "-req", "-days", "1", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key",
                "-CAcreateserial", "-extfile", "extension", "-out", f"{name}.crt")
    openssl("genrsa", "-out", "sa.key", "2048")
    openssl("rsa", "-in", "sa.key", "-pubout", "-out", "sa.pub")


class Stack:
    """An etcd with a counter in front, at an address and in a directory of its own. It ends what it started."""

    def __init__(self, address):
        self.address, self.processes = address, []
        self.temporary = tempfile.TemporaryDirectory()
        self.directory = self.temporary.name

    def __enter__(self):
        client, peer = f"http://{self.address}:2379", f"http://{self.address}:2380"
        self.spawn("etcd", ETCD, "--data-dir", "data", "--listen-client-urls", client, "--advertise-client-urls", client,
                   "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster",
                   f"default={peer}", "--log-level", "warn")
        self.spawn("counter", PROGRAMS / "counter", self.endpoint(), f"{self.address}:2379", f"{self.address}:2382")
        wait(lambda: self.http("/health", 2379)["health"] == "true", "etcd")
        wait(lambda: self.http("/", 2382) == [], "the counter")
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        self.temporary.cleanup()

    def spawn(self, name, *command):
        with open(f"{self.directory}/{name}.log", "ab") as log:
            self.processes.append(subprocess.Popen(command, cwd=self.directory, stdout=log, stderr=log))
        return self.processes[-1]

    def endpoint(self):
        return f"{self.address}:2381"

    def http(self, path, port):
        connection = http.client.HTTPConnection(self.address, port, timeout=30)
        try:
            connection.request("GET", path)
            return json.loads(connection.getresponse().read())
        finally:
            connection.close()

    def take(self):
        """Returns the counts since the last call."""
        return self.http("/", 2382)


def wait(condition, what, seconds=300):
    end = time.monotonic() + seconds
    while True:
        try:
            if condition():
                return
        except (OSError, http.client.HTTPException, ValueError):
            pass
        if time.monotonic() > end:
            sys.exit(f"{what} is not ready after {seconds} s")
        time.sleep(0.2)


# --- a cluster whose nodes and controllers are this program -----------------------------------------------------------

class Cluster(Stack):
    def __init__(self, address, version):
        super().__init__(address)
        self.version, self.local, self.leases = version, threading.local(), {}
        self.pool = concurrent.futures.ThreadPoolExecutor(8)

    def __exit__(self, *error):
        self.pool.shutdown(cancel_futures=True)
        super().__exit__(*error)

    def start(self):
        """Starts the API server, and returns when it is ready."""
        if not hasattr(self, "tls"):
            certificates(self.directory, self.address)
            self.tls = ssl.create_default_context(cafile=f"{self.directory}/ca.crt")
            self.tls.load_cert_chain(f"{self.directory}/admin.crt", f"{self.directory}/admin.key")
        self.server = self.spawn(
            "kube-apiserver", api_server(self.version), f"--etcd-servers=http://{self.endpoint()}", "--secure-port=6443",
            f"--bind-address={self.address}", "--advertise-address=10.0.0.1", "--service-cluster-ip-range=10.96.0.0/16",
            "--client-ca-file=ca.crt", "--tls-cert-file=server.crt", "--tls-private-key-file=server.key",
            "--authorization-mode=RBAC", "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file=sa.pub", "--service-account-signing-key-file=sa.key",
            "--disable-admission-plugins=ServiceAccount", "--profiling=false")
        wait(lambda: self.request("GET", "/readyz?", refused=True) == b"ok", "the API server")
        self.started = time.monotonic()

    def end(self):
        self.server.terminate()
        self.server.wait()

    def until(self, seconds):
        """Waits until so many seconds after the start of the API server."""
        time.sleep(max(0, self.started + seconds - time.monotonic()))

    def request(self, method, path, body=None, kind="application/json", refused=False):
        try:
            if getattr(self.local, "connection", None) is None:
                self.local.connection = http.client.HTTPSConnection(self.address, 6443, context=self.tls, timeout=120)
            self.local.connection.request(method, path, None if body is None else json.dumps(body),
                                          {"Content-Type": kind, "Accept": "application/json"})
            answer = self.local.connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self.local.connection = None
            raise
        if answer.status >= 400 and not refused:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]}")
        return json.loads(content) if content[:1] == b"{" else content

    def each(self, numbers, action):
        list(self.pool.map(action, numbers))

    def patch(self, path, body):
        self.request("PATCH", path, body, "application/strategic-merge-patch+json")

    def namespaces(self):
        names = [each["metadata"]["name"] for each in self.request("GET", "/api/v1/namespaces")["items"]]
        for name in ("load", "kube-node-lease"):
            if name not in names:
                self.request("POST", "/api/v1/namespaces", {"metadata": {"name": name}})

    def node(self, i):
        self.request("POST", "/api/v1/nodes", {
            "metadata": {"name": f"node-{i:05d}", "labels": {
                "kubernetes.io/hostname": f"node-{i:05d}", "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
                "topology.kubernetes.io/zone": f"z{i % 3}", "node.kubernetes.io/instance-type": "m5.xlarge"}},
            "spec": {"podCIDR": f"10.{i // 250}.{i % 250}.0/24", "providerID": f"aws:///z/i-{i:017d}"},
            "status": {
                "capacity": {"cpu": "4", "memory": "16Gi", "pods": "110", "ephemeral-storage": "100Gi"},
                "allocatable": {"cpu": "3920m", "memory": "15Gi", "pods": "110", "ephemeral-storage": "90Gi"},
                "conditions": conditions(),
                "addresses": [{"type": "InternalIP", "address": f"10.0.{i // 250}.{i % 250}"},
                              {"type": "Hostname", "address": f"node-{i:05d}"}],
                "nodeInfo": {"machineID": "m" * 32, "systemUUID": "s" * 36, "bootID": "b" * 36, "kernelVersion": "6.1.0",
                             "osImage": "Debian", "containerRuntimeVersion": "containerd://2.0.0",
                             "kubeletVersion": "v1.37.2", "kubeProxyVersion": "", "operatingSystem": "linux",
                             "architecture": "amd64"},
                "images": [{"names": [f"registry.example.com/team/app-{k}@sha256:{'a' * 64}",
                                      f"registry.example.com/team/app-{k}:v1.{k}.0"], "sizeBytes": 100000000 + k}
                           for k in range(50)]}})

    def status(self, i):
        self.patch(f"/api/v1/nodes/node-{i:05d}/status", {"status": {"conditions": conditions()}})

    def lease(self, i):
        name = f"node-{i:05d}"
        self.leases[i] = self.request("POST", LEASES, {
            "metadata": {"name": name, "namespace": "kube-node-lease", "ownerReferences": [
                {"apiVersion": "v1", "kind": "Node", "name": name, "uid": f"00000000-0000-0000-0000-{i:012d}"}]},
            "spec": {"holderIdentity": name, "leaseDurationSeconds": 40, "renewTime": now()}})

    def heartbeat(self, i):
        self.leases[i]["spec"]["renewTime"] = now()
        self.leases[i] = self.request("PUT", f"{LEASES}/node-{i:05d}", self.leases[i])

    def pod(self, i):
        self.request("POST", "/api/v1/namespaces/load/pods", {
            "metadata": {"name": name_of_pod(i), "labels": {"app": "web", "pod-template-hash": "6b7f9c5d8"},
                         "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-6b7f9c5d8",
                                              "uid": "00000000-0000-0000-0000-000000000001", "controller": True,
                                              "blockOwnerDeletion": True}]},
            "spec": {"containers": [{
                "name": "app", "image": "registry.example.com/team/app:v1", "ports": [{"containerPort": 8080}],
                "env": [{"name": f"VARIABLE_{k}", "value": f"some value {k}"} for k in range(10)],
                "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "256Mi"}},
                "livenessProbe": {"httpGet": {"path": "/healthz", "port": 8080}},
                "readinessProbe": {"httpGet": {"path": "/ready", "port": 8080}},
                "volumeMounts": [{"name": "config", "mountPath": "/etc/config"}]}],
                "volumes": [{"name": "config", "configMap": {"name": "app"}}], "terminationGracePeriodSeconds": 30}})

    def bind(self, i):
        self.request("POST", f"{pod_path(i)}/binding", {"metadata": {"name": name_of_pod(i)},
                                                       "target": {"kind": "Node", "name": f"node-{i % NODES:05d}"}})

    def statuses(self, i):
        """The kubelet says that the Pod is initialized, that it has an address, and that it runs."""
        for step in range(3):
            condition = lambda name, met: {"type": name, "status": str(met), "lastTransitionTime": LONG_AGO}
            running = step == 2
            status = {
                "phase": "Running" if running else "Pending", "hostIP": "10.0.0.5", "startTime": LONG_AGO,
                "conditions": [condition("PodScheduled", True), condition("Initialized", True),
                               condition("ContainersReady", running), condition("Ready", running)],
                "containerStatuses": [{
                    "name": "app", "ready": running, "started": running, "restartCount": 0,
                    "image": "registry.example.com/team/app:v1",
                    "imageID": "registry.example.com/team/app@sha256:" + "c" * 64,
                    "containerID": "containerd://" + "d" * 64 if step else "",
                    "state": {"running": {"startedAt": LONG_AGO}} if running else
                             {"waiting": {"reason": "ContainerCreating"}}}]}
            if step:
                status["podIP"] = f"10.1.{i // 250 % 250}.{i % 250}"
                status["podIPs"] = [{"ip": status["podIP"]}]
            self.patch(f"{pod_path(i)}/status", {"status": status})

    def events(self, i):
        for k in range(6):
            self.request("POST", "/api/v1/namespaces/load/events", {
                "metadata": {"name": f"{name_of_pod(i)}.{i * 1000 + k:016x}", "namespace": "load"},
                "involvedObject": {"kind": "Pod", "namespace": "load", "name": name_of_pod(i), "fieldPath": SPEC,
                                   "uid": "00000000-0000-0000-0000-000000000002", "apiVersion": "v1",
                                   "resourceVersion": "123"},
                "reason": ["Scheduled", "Pulling", "Pulled", "Created", "Started", "Killing"][k],
                "message": "Successfully did something with image registry.example.com/team/app:v1 in 1.2s",
                "source": {"component": "kubelet", "host": "node-00001"}, "firstTimestamp": LONG_AGO,
                "lastTimestamp": LONG_AGO, "count": 1, "type": "Normal", "reportingComponent": "kubelet",
                "reportingInstance": "node-00001"})

    def remove(self, i):
        """A controller asks for the end of the Pod, and the kubelet removes it when it has ended."""
        self.request("DELETE", pod_path(i))
        uid = self.request("GET", f"{pod_path(i)}?resourceVersion=0")["metadata"]["uid"]
        self.request("DELETE", pod_path(i), {"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0,
                                             "preconditions": {"uid": uid}})

    def begin(self, i):
        self.pod(i)
        self.bind(i)
        self.statuses(i)

    def secret(self, i):
        self.request("POST", "/api/v1/namespaces/load/secrets", {
            "metadata": {"name": f"secret-{i}"}, "data": {"k": base64.b64encode(b"x" * 1024).decode()}})

    def definition(self):
        """Creates a custom resource, and returns when it is served."""
        self.request("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
            "metadata": {"name": "things.example.com"},
            "spec": {"group": "example.com", "scope": "Namespaced",
                     "names": {"plural": "things", "singular": "thing", "kind": "Thing"},
                     "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {
                         "type": "object", "x-kubernetes-preserve-unknown-fields": True}}}]}})
        wait(lambda: "items" in str(self.request("GET", THINGS, refused=True)), "the custom resource")

    def thing(self, i):
        self.request("POST", THINGS, {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": f"t-{i}"},
                                      "spec": {"d": "x" * 65536}})

    def change(self, i):
        self.request("PATCH", f"{THINGS}/t-{i}", {"spec": {"n": i}}, "application/merge-patch+json")


LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
THINGS = "/apis/example.com/v1/namespaces/load/things"
LONG_AGO = "2026-11-01T00:00:00Z"


def name_of_pod(i):
    return f"web-6b7f9c5d8-{i:05d}"


def pod_path(i):
    return f"/api/v1/namespaces/load/pods/{name_of_pod(i)}"


def now():
    """Two heartbeats with the same time would be one: the API server does not write what it has."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{time.time_ns() // 1000 % 1000000:06d}Z"


def conditions():
    return [{"type": kind, "status": str(kind == "Ready"), "lastHeartbeatTime": now()[:19] + "Z",
             "lastTransitionTime": LONG_AGO, "reason": f"Kubelet{kind}", "message": f"kubelet reports {kind}"}
            for kind in ("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")]


# --- the table --------------------------------------------------------------------------------------------------------

NAMED = ("leases", "minions", "pods")
LISTS = ("list", "list at a revision")
SUCH = {  # phase and requests of each action of the table; rows with the same ones share them as the table does
    "node lease PUT": ("heartbeat", "update", "leases"), "node status PATCH": ("node status", "update", "minions"),
    "Pod create": ("Pod", "create", "pods"), "Pod bind": ("binding", "update", "pods"),
    "Pod status PATCH": ("Pod status", "update", "pods"), "Event create": ("event", "create", "events"),
    "Pod DELETE: read": ("removal", "get", "pods"), "Pod DELETE: mark": ("removal", "update", "pods"),
    "Pod DELETE: remove": ("removal", "delete", "pods"),
    "endpoint reconciler: lease": ("idle", "ttl 15s", ""), "peer lease: lease": ("idle", "ttl 15s", ""),
    "endpoint reconciler: address": ("idle", "update", "masterleases"),
    "endpoint reconciler: reads": ("idle", "get", "masterleases services endpointslices"),
    "endpoint reconciler: list": ("idle", "list", "masterleases"),
    "peer lease: address": ("idle", "update", "peerserverleases"), "peer lease: read": ("idle", "get", "peerserverleases"),
    "identity lease": ("idle", "update", "leases"), "size estimate": ("idle", "get of nothing", "*"),
    "consistency check: leases": ("check", "list at a revision", "leases"),
    "consistency check: nodes": ("check", "list at a revision", "minions"),
    "consistency check: Pods": ("check", "list at a revision", "pods"),
    "consistency check: others": ("check", "list at a revision", "others"),
    "number of events": ("idle", "count", "events"),
    "watches: leases": ("idle", "create", "leases"), "watches: nodes": ("idle", "create", "minions"),
    "watches: Pods": ("idle", "create", "pods"), "watches: others": ("idle", "create", "others"),
    "progress request": ("idle", "progress request", "*"),
    "start: reads": ("start", "get, get of nothing", "*"), "start: lists": ("start", "list", "*"),
}


def measure(cluster):
    """Does each action, and returns the counts of each phase, with the number of actions or the seconds."""
    phases = {}

    def phase(name, numbers, action):
        cluster.take()
        cluster.each(numbers, action)
        phases[name] = (cluster.take(), len(numbers))

    cluster.start()
    cluster.namespaces()
    nodes, pods, some = range(NODES), range(PODS), range(200)
    phase("node", nodes, cluster.node)
    phase("lease", nodes, cluster.lease)
    phase("heartbeat", nodes, cluster.heartbeat)
    time.sleep(1.1)  # a status with the same second as that of the creation changes nothing
    phase("node status", nodes, cluster.status)
    phase("Pod", pods, cluster.pod)
    phase("binding", some, cluster.bind)
    phase("Pod status", some, cluster.statuses)
    phase("event", some, cluster.events)
    phase("removal", some, cluster.remove)
    phase("Secret", some, cluster.secret)
    cluster.until(WATCH)
    cluster.take()
    cluster.until(CHECK)
    first = cluster.take()
    cluster.until(END)
    check = cluster.take()
    phases["check"], phases["idle"] = (check, END - CHECK), (first + check, END - WATCH)
    cluster.end()
    cluster.take()
    cluster.start()
    time.sleep(5)
    phases["start"] = (cluster.take(), 1)
    cluster.definition()
    phase("custom object", range(20), cluster.thing)
    phase("custom object change", range(20), cluster.change)
    return phases


def counted(phases, action):
    """Returns the number of requests for an action or in a second, and the mean size of the written values."""
    phase, kinds, resources = SUCH[action]
    counts, number = phases[phase]
    requests = size = 0
    for each in counts:
        named = each["resource"] in (NAMED if resources == "others" else resources.split())
        if each["kind"] in kinds.split(", ") and (each["method"] == "Watch") == (action.startswith(("watches", "progress"))):
            if resources in ("", "*") or named != (resources == "others"):
                requests += each["requests"]
                size += each["valueBytes"]
    return requests / number, round(size / max(1, requests))


def table(version, write):
    with Cluster("127.62.1.1", version) as cluster:
        phases = measure(cluster)
    for name, (counts, number) in phases.items():
        for each in sorted(counts, key=lambda one: -one["requests"]):
            if each["requests"] > 0.05 * number:
                print("%-22s %8.3f  %-11s %-24s %-40s %d B" % (
                    name, each["requests"] / number, each["method"], each["kind"], each["resource"],
                    each["valueBytes"] / each["requests"]))
    with open(TABLE, newline="") as file:
        rows = list(csv.reader(file))
    of_version = [row for row in rows[1:] if row[0] in SUCH and row[1] in ("", version)]
    sums = collections.Counter()
    for row in of_version:
        sums[SUCH[row[0]]] += int(row[5])
    for row in of_version:
        rate, size = counted(phases, row[0])
        count = rate * int(row[7] or 1) * int(row[5]) / sums[SUCH[row[0]]]
        differs = round(count) != int(row[5]) or abs(size - int(row[4] or 0)) > size / 10
        print(f"{'differs' if differs else 'as seen'}  {row[0]}: {count:.2f} of {size} B; table: {row[5]} of {row[4] or 0} B")
        if write and differs:
            row[4], row[5] = str(size or ""), str(round(count))
    if write:
        with open(TABLE, "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)


# --- the real API server and the scenario -----------------------------------------------------------------------------

def live(cluster, stop):
    """Nodes and Pods as in the scenario: each kind of action at its rate, until the end."""
    born, gone = iter(range(PODS, 10 * PODS)), iter(range(10 * PODS))

    def start(_):
        i = next(born)
        cluster.begin(i)
        cluster.events(i)

    plans = [[time.monotonic(), period, action, 0] for period, action in (
        (10 / NODES, lambda k: cluster.heartbeat(k % NODES)), (300 / NODES, lambda k: cluster.status(k % NODES)),
        (2 / CHANGES, start), (2 / CHANGES, lambda _: cluster.remove(next(gone))))]
    futures = []
    while not stop.is_set():
        plan = min(plans, key=lambda one: one[0])
        time.sleep(max(0, plan[0] - time.monotonic()))
        futures.append(cluster.pool.submit(plan[2], plan[3]))
        plan[0] += plan[1]
        plan[3] += 1
    failed = [one.exception() for one in futures if one.done() and one.exception()]
    print(f"{cluster.address}: {len(futures)} actions, {len(failed)} failed {failed[:1]}")


def real(address, version, results):
    with Cluster(address, version) as cluster:
        cluster.start()
        cluster.namespaces()
        for action, number in ((cluster.node, NODES), (cluster.lease, NODES), (cluster.begin, PODS)):
            cluster.each(range(number), action)
        print(f"{address}: filled {time.monotonic() - cluster.started:.0f} s after the start", flush=True)
        stop = threading.Event()
        load = threading.Thread(target=live, args=(cluster, stop))
        load.start()
        cluster.until(CHECK)
        cluster.take()
        cluster.until(END)
        results[address] = cluster.take()
        stop.set()
        load.join()


def profile(address, version, results):
    with Stack(address) as stack:
        run = stack.spawn("quorate", QUORATE, "run", "kubernetes-nodes", "--kubernetes", version, "--nodes", str(NODES),
                          "--pods-per-node", str(PODS // NODES), "--pod-changes", str(CHANGES), "--api-servers", "1",
                          "--duration", f"{END}s", "--endpoints", stack.endpoint(), "--results", "results")
        time.sleep(CHECK)
        stack.take()
        time.sleep(END - CHECK)
        results[address] = stack.take()
        if run.poll() is not None:
            print(pathlib.Path(stack.directory, "quorate.log").read_text())
        run.terminate()
        run.wait()


def truth(version):
    """Runs a real API server twice, for the noise, and the scenario, all at a time: whatever disturbs one, disturbs all."""
    results = {}
    addresses = [f"127.62.{version[2:]}.{k}" for k in (1, 2, 3)]
    threads = [threading.Thread(target=road, args=(address, version, results))
               for road, address in zip((real, real, profile), addresses)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    print(f"{PATCHES[version]}, {END - CHECK} s, {NODES} nodes, {PODS} Pods, {CHANGES} changes a second: real, real, profile")
    groups = collections.defaultdict(lambda: [collections.Counter() for _ in addresses])
    for k, address in enumerate(addresses):
        for each in results[address]:
            for group in (each["method"], f"  {each['method']} {each['kind']} {each['resource']}", "all"):
                for name in ("requests", "requestBytes", "answerBytes"):
                    groups[group][k][name] += each[name]
                groups[group][k].setdefault("micros", [])
                groups[group][k]["micros"] += each["micros"]
    print("%-64s %26s %32s %32s %20s" % ("", "requests", "bytes to etcd", "bytes from etcd", "p99 (ms)"))
    for group, three in sorted(groups.items(), key=lambda one: one[0].strip()):
        cells = ["%-64s" % group]
        for name, width in (("requests", 8), ("requestBytes", 10), ("answerBytes", 10)):
            cells += [f"{one[name]:{width}d}" for one in three]
        cells += ["%6.2f" % (p99(one.get("micros") or [0]) / 1000) for one in three]
        print(" ".join(cells))


def p99(values):
    return sorted(values)[-1 - len(values) // 100]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=("build", "table", "truth"))
    parser.add_argument("version", choices=PATCHES)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    if options.what == "build":
        build(options.version)
    elif options.what == "table":
        table(options.version, options.write)
    else:
        truth(options.version)


if __name__ == "__main__":
    main()

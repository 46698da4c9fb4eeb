#!/bin/sh
# Adds the SHA-256 of releases of etcd (3.5.0 and newer) and Consul (1.16.0 and newer) to SHA256SUMS next to this file.
# For maintainers, on a machine that reaches the vendors:
#   src/databases/pin-releases.sh etcd 3.5.16 3.5.21
#   src/databases/pin-releases.sh consul 1.16.3
# Consul's file is signed: import the key of https://www.hashicorp.com/security before. An archive that has another sum
# already is an error. BASE replaces the vendor's address, as in tests.
set -eu
cd "$(dirname "$0")"
program=${1:?expected etcd or consul, and versions}
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for version in "$@"; do
  case $program in
    etcd)
      base=${BASE:-https://github.com/etcd-io/etcd/releases/download}
      curl -fsSL "$base/v$version/SHA256SUMS" -o "$work/sums"
      names="etcd-v$version-(linux-(amd64|arm64)\.tar\.gz|darwin-(amd64|arm64)\.zip)"
      ;;
    consul)
      base=${BASE:-https://releases.hashicorp.com/consul}
      curl -fsSL "$base/$version/consul_${version}_SHA256SUMS" -o "$work/sums"
      curl -fsSL "$base/$version/consul_${version}_SHA256SUMS.sig" -o "$work/sig"
      gpg --verify "$work/sig" "$work/sums"
      names="consul_${version}_(linux|darwin)_(amd64|arm64)\.zip"
      ;;
    *)
      echo "found $program, expected etcd or consul" >&2
      exit 2
      ;;
  esac
  grep -E "^[0-9a-f]{64}  $names\$" "$work/sums" > "$work/new" || {
    echo "$program $version: its file has no sums of the archives that Quorate takes" >&2
    exit 1
  }
  touch "$program/SHA256SUMS"
  while read -r sum name; do
    known=$(awk -v name="$name" '$2 == name { print $1 }' "$program/SHA256SUMS")
    if [ -z "$known" ]; then
      echo "$sum  $name" >> "$program/SHA256SUMS"
      echo "pinned $name"
    elif [ "$known" != "$sum" ]; then
      echo "$name: $known is pinned, but the vendor has $sum" >&2
      exit 1
    fi
  done < "$work/new"
done

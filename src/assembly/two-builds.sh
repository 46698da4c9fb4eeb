#!/bin/sh
# Builds the distribution of the last commit twice, in two clones at places of different names and under different
# umasks, and compares the zips. Prints their SHA-256; exit code 1 if they differ, after the names of what differs in them.
#
# A umask that keeps others from reading makes another zip: our jars have the modes of the files that they are made of.
#
#   two-builds.sh [OPTION OF MAVEN...]
set -eu

checkout=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
commit=$(git -C "$checkout" rev-parse HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

build() {
  place=$1
  umask "$2"
  shift 2
  git clone -q "$checkout" "$place"
  git -C "$place" checkout -q "$commit"
  (cd "$place" && mvn -q -B -ntp package -DskipTests -Dspotless.check.skip -Dcheckstyle.skip "$@")
}

build "$work/first" 022 "$@"
build "$work/a second place" 002 "$@"
sha256sum "$work"/first/target/quorate-*.zip "$work/a second place"/target/quorate-*.zip
cmp "$work"/first/target/quorate-*.zip "$work/a second place"/target/quorate-*.zip && exit 0
for place in "$work/first" "$work/a second place"; do
  unzip -q -d "$place/unpacked" "$place"/target/quorate-*.zip
done
diff -rq "$work/first/unpacked" "$work/a second place/unpacked" || true
exit 1

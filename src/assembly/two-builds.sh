#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the distribution of the last commit twice, in two clones at places of different names and under different
# umasks, and compares the files in target/. Prints their SHA-256; exit code 1 if they differ, after the names of what differs
# in zips. -Pruntime and -Prelease add their files.
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
different=0
for file in "$work"/first/target/quorate-*; do
  name=${file##*/}
  other="$work/a second place/target/$name"
  sha256sum "$file" "$other"
  cmp "$file" "$other" && continue
  different=1
  case $name in
    *.zip)
      unzip -q -d "$work/first/$name" "$file"
      unzip -q -d "$work/a second place/$name" "$other"
      diff -rq "$work/first/$name" "$work/a second place/$name" || true
      ;;
  esac
done
exit $different

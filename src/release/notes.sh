#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the notes of a release: the section of CHANGELOG.md for its version, without the heading. Exit code 1 if there
# is none, or if it is empty.
#
#   notes.sh VERSION [FILE]
set -eu

version=$1
file=${2:-$(dirname "$0")/../../CHANGELOG.md}
notes=$(awk -v heading="## [$version]" '
  /^## / { inside = index($0, heading) == 1; next }
  inside && (seen || NF) { seen = 1; print }' "$file")
case $notes in
  *[![:space:]]*) printf '%s\n' "$notes" ;;
  *)
    echo "$file has no notes for $version: rename its heading [Unreleased] to [$version] - DATE" >&2
    exit 1
    ;;
esac

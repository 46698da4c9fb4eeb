#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sees to it that no server is left whose working directory is below DIR, which is how Quorate starts those of a run.
#
#   stop-servers.sh DIR
#
# Mostly there is nothing to do: servers end with their run (guard.sh), within 10 seconds even if it was killed. Those that
# are still there after 15 seconds get TERM, and 10 seconds later KILL. Exit code 1 if one survives that.
set -u

[ $# -eq 1 ] || { echo "usage: stop-servers.sh DIR" >&2; exit 2; }
# the directory of a build that never ran is not there, and nothing runs below it
directory=$(CDPATH='' cd -P -- "$1" 2>/dev/null && pwd -P) || exit 0
[ -d /proc/self ] || { echo "stop-servers: no /proc here, so this relies on the guards" >&2; exit 0; }

# the processes of this user below the directory, also when it was removed under them
left() {
  for process in /proc/[0-9]*; do
    case $(readlink "$process/cwd" 2>/dev/null) in
      "$directory" | "$directory"/*) printf '%s ' "${process#/proc/}" ;;
    esac
  done
}

# waits until none is left, so many seconds at most
await() {
  seconds=$1
  while pids=$(left) && [ -n "$pids" ] && [ "$seconds" -gt 0 ]; do
    sleep 1
    seconds=$((seconds - 1))
  done
  [ -z "$pids" ]
}

await "${STOP_SERVERS_GRACE_SECONDS:-15}" && exit 0
for signal in TERM KILL; do
  echo "stop-servers: $signal to what is left below $directory: $pids" >&2
  # shellcheck disable=SC2086
  kill -s "$signal" $pids 2>/dev/null
  await 10 && exit 0
done
echo "stop-servers: cannot stop $pids" >&2
exit 1

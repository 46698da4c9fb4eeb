# Runs beside the servers of one cluster and sees to it that they do not outlive their owner.
#
#   sh -c "$(cat guard.sh)" quorate-guard DATA MARK
#
# Standard input is a pipe of which the owner alone holds the other end: "+PID" is a server to guard, "-PID" one that
# has ended, "done" means that there is nothing left to do. The end of input without "done" means that the owner is
# gone: the servers get TERM, after 5 seconds KILL, and their data is removed, and the mark that says whose it is.
# Whatever a terminal or a supervisor sends to the whole process group is ignored, if it gets here at all: this ends when
# the owner does. Its only output is a line that says that it has begun, in a session of its own.
trap '' HUP INT QUIT TERM
echo ready
exec >/dev/null
data=$1
mark=$2
pids=

alive() {
  for pid in $pids; do
    kill -0 "$pid" 2>/dev/null && return 0
  done
  return 1
}

# signals all servers until they are gone or so many seconds are over
finish() {
  seconds=$2
  for pid in $pids; do
    kill -s "$1" "$pid" 2>/dev/null
  done
  while alive && [ "$seconds" -gt 0 ]; do
    sleep 1
    seconds=$((seconds - 1))
  done
}

while IFS= read -r line; do
  case $line in
    +*) pids="$pids ${line#+}" ;;
    -*)
      rest=
      for pid in $pids; do
        [ "$pid" = "${line#-}" ] || rest="$rest $pid"
      done
      pids=$rest
      ;;
    done) exit 0 ;;
  esac
done

finish TERM 5
alive && finish KILL 2
rm -rf -- "$data" && rm -f -- "$mark"

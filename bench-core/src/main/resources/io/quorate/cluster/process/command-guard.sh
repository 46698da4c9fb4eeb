# Runs beside the command of a user that changes a server, and sees to it that the command which ends that runs, too.
#
#   QUORATE_NAME=NAME QUORATE_END=COMMAND sh -c "$(cat command-guard.sh)" quorate-command-guard
#
# Standard input is a pipe of which the owner alone holds the other end: "+PID" is the command of the user, the leader of
# its process group, which is about to begin, "-" means that it has ended, "end" that the end is due. The end of input
# without "end" means that the owner is gone: its end is due as well if there was a beginning. A command that still runs
# is killed before, so that it cannot undo the end. The output of the end goes to the owner, if that is not gone.
trap '' HUP INT QUIT TERM PIPE
echo ready
name=$QUORATE_NAME
end=$QUORATE_END
unset QUORATE_NAME QUORATE_END
began=
running=
due=

while [ -z "$due" ] && IFS= read -r line; do
  case $line in
    +*) began=yes running=${line#+} ;;
    -) running= ;;
    end) due=yes ;;
  esac
done

if [ -n "$running" ]; then
  kill -s KILL -- "-$running" "$running" 2>/dev/null
  tries=50
  while kill -0 "$running" 2>/dev/null && [ "$tries" -gt 0 ]; do
    sleep 0.1 2>/dev/null || sleep 1
    tries=$((tries - 1))
  done
fi
[ -n "$due$began" ] && [ -n "$end" ] || exit 0
if [ -z "$due" ]; then
  echo "the load generator has ended during a fault: now the command '$name' runs" >&2
  exec >/dev/null 2>&1
else
  exec 2>&1
fi
exec </dev/null
trap - HUP INT QUIT TERM
exec /bin/sh -c "$end"

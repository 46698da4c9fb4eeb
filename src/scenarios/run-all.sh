#!/bin/sh
# Runs every scenario at a hundredth of its size on each database that it names, and says how each run ended.
#
#   src/scenarios/run-all.sh [NAME...]
#
# Without names all of scenarios/. RESULTS is the directory of the results (results/all-scenarios), QUORATE the launcher,
# SCALE the part of the requests (0.01). Exit code 1 if a run did not complete or a request failed.
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
quorate=${QUORATE:-$here/quorate}
results=${RESULTS:-$here/results/all-scenarios}
[ $# -gt 0 ] || set -- $(cd "$here/scenarios" && ls *.yaml | sed 's/\.yaml$//')
failed=0
for name in "$@"; do
  mkdir -p "$results"
  log=$results/$name.log
  "$quorate" run "$name" --scale "${SCALE:-0.01}" --results "$results" >"$log" 2>&1 </dev/null
  code=$?
  run=$(ls -d "$results/$name"*/*/ 2>/dev/null | tail -n 1)
  said=
  for manifest in "$run"*/manifest.json; do
    [ -f "$manifest" ] || continue
    database=$(basename "$(dirname "$manifest")")
    status=$(sed -n 's/^  "status" : "\([a-z]*\)".*/\1/p' "$manifest" | head -n 1)
    errors=$(sed -n '2,$p' "$(dirname "$manifest")/errors.csv" 2>/dev/null | wc -l | tr -d ' ')
    [ "$status" = complete ] && [ "$errors" = 0 ] || failed=1
    said="$said $database=$status"
    [ "$errors" = 0 ] || said="$said(errors.csv: $errors rows)"
  done
  [ $code -eq 0 ] && [ -n "$said" ] || failed=1
  echo "$name: exit $code,${said:- nothing was run; see $log}"
done
exit $failed

#!/usr/bin/env bash
# A compiler launcher: runs the command and appends its CPU seconds and its output file to the file
# $EVENFOLD_COMPILE_TIMES.
set -uo pipefail
TIMEFORMAT='%U %S'
output=linking
for ((i = 1; i <= $#; ++i)); do
  if [[ ${!i} == -o ]]; then
    next=$((i + 1))
    output=${!next}
  fi
done
exec 3>&1 4>&2
seconds=$({ time "$@" >&3 2>&4; } 2>&1)
status=$?
awk -v output="$output" '{ printf "%.2f %s\n", $1 + $2, output }' <<<"$seconds" >>"$EVENFOLD_COMPILE_TIMES"
exit $status

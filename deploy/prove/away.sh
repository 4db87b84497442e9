#!/bin/bash
# Asks ten times a second whether the gateway answers, and writes for how long it did not, all in all, from the first question that was not
# answered to the next that was, in seconds.
set -u
answers() { curl -fsS -m 2 -o /dev/null http://127.0.0.1:8080/api/v1/apps 2>/dev/null; }
away=0
echo 0 >"$1"
while sleep 0.1; do
  before=$(date +%s%N)
  answers && continue
  until answers; do sleep 0.1; done
  away=$((away + $(date +%s%N) - before))
  awk -v ns="$away" 'BEGIN { printf "%.1f\n", ns / 1e9 }' >"$1"
done

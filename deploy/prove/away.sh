#!/bin/bash
# Asks ten times a second whether the gateway answers, and writes for how many seconds it did not, all in all, whenever that changes.
set -u
echo 0 >"$1"
misses=0
while :; do
  if ! curl -fsS -m 1 -o /dev/null http://127.0.0.1:8080/api/v1/apps 2>/dev/null; then
    misses=$((misses + 1))
    awk -v n="$misses" 'BEGIN { print n / 10 }' >"$1"
  fi
  sleep 0.1
done

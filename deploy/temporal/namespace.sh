#!/bin/sh
# Makes the namespace with its search attributes where they are missing. May be run again.
set -eu

tries=60
until temporal operator cluster health --command-timeout 5s >/dev/null 2>&1; do
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ]; then
    echo "No Temporal server answers at $TEMPORAL_ADDRESS" >&2
    exit 1
  fi
  sleep 1
done

if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
fi

# A new namespace is known everywhere a few seconds later.
tries=30
until known="$(temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE")"; do
  tries=$((tries - 1))
  [ "$tries" -gt 0 ] || exit 1
  sleep 1
done
for name in $SEARCH_ATTRIBUTES; do
  case "$known" in
    *"$name "*) ;;
    *) temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$name" --type Keyword ;;
  esac
done

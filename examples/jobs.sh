#!/bin/sh
# Submits a job with curl, follows its events, and prints its result.
#
#   ./tidemill up                  in one terminal
#   sh examples/jobs.sh            in another
set -eu
url=${TIDEMILL_HTTP_URL:-http://127.0.0.1:8080}
key=${TIDEMILL_API_KEY:-}

ask() { curl -sS --fail-with-body ${key:+-H "Authorization: Bearer $key"} "$@"; }

answer=$(ask "$url/v1/jobs" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: example-$$-$(date +%s)" \
  -d '{"task":"tool","payload":{"name":"sleep","arguments":{"ms":2000}},"ttl_s":600}')
id=$(printf '%s' "$answer" | sed 's/.*"job_id":"\([^"]*\)".*/\1/')
echo "job $id"

ask -N "$url/v1/jobs/$id/events" # ends by itself after the terminal event
ask "$url/v1/jobs/$id"
echo

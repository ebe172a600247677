#!/bin/sh
# Crawls a few pages with curl, follows the crawl to its end, and searches a word in them.
#
#   ./tidemill up                                                 in one terminal
#   eval "$(./tidemill env)"                                      in another
#   sh examples/crawl-and-search.sh https://example.org/ example
set -eu
url=${TIDEMILL_HTTP_URL:-http://127.0.0.1:8080}
key=${TIDEMILL_API_KEY:-}
start=${1:-https://example.org/}
word=${2:-example}

ask() { curl -sS --fail-with-body ${key:+-H "Authorization: Bearer $key"} "$@"; }
quoted() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"; }

answer=$(ask "$url/api/crawls" -H 'Content-Type: application/json' \
  -d "{\"url\":$(quoted "$start"),\"email\":\"you@example.org\",\"maxPages\":20}")
id=$(printf '%s' "$answer" | sed 's/.*"id":"\([^"]*\)".*/\1/')
echo "crawl $id"

ask -N "$url/api/crawls/$id/events" # ends by itself after the terminal event
case $(ask "$url/api/crawls/$id") in
  *'"status":"completed"'*) ;;
  *) echo "the crawl did not complete" >&2; exit 1 ;;
esac

# A page can be found a moment after it was fetched: it takes the way over the indexer's queue.
tries=0
while :; do
  found=$(ask -G "$url/api/search" --data-urlencode "q=$word" -d size=5)
  case $found in *'"total":0'*) ;; *) break ;; esac
  tries=$((tries + 1))
  [ "$tries" -lt 20 ] || break
  sleep 0.5
done
printf '%s\n' "$found"

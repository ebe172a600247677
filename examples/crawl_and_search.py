#!/usr/bin/env python3
"""Crawls a few pages, follows the crawl over broken connections, searches a word in them.

    ./tidemill up                                                     # in one terminal
    eval "$(./tidemill env)"                                          # in another
    python3 examples/crawl_and_search.py https://example.org/ example # standard library only
"""
import html
import json
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

URL = os.environ.get("TIDEMILL_HTTP_URL", "http://127.0.0.1:8080").rstrip("/")
KEY = os.environ.get("TIDEMILL_API_KEY")
TERMINAL = ("completed", "failed", "canceled")


def request(path, body=None, **headers):
    if KEY:
        headers["Authorization"] = f"Bearer {KEY}"
    if body is not None:
        headers["Content-Type"] = "application/json"
    data = None if body is None else json.dumps(body).encode()
    return urllib.request.Request(URL + path, data=data, headers=headers)


def call(path, body=None):
    try:
        with urllib.request.urlopen(request(path, body), timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as problem:
        sys.exit(f"{problem.code}: {json.load(problem).get('detail')}")


def events(crawl_id):
    """Every event once, in order; a cut connection goes on where it was."""
    last_id = None
    while True:
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last_id} if last_id else {})}
        try:
            with urllib.request.urlopen(
                    request(f"/api/crawls/{crawl_id}/events", **headers), timeout=60) as stream:
                if stream.status == 204:  # seen to its end
                    return
                kind, data, new_id = "", [], last_id
                for raw in stream:
                    line = raw.decode().rstrip("\r\n")
                    name, _, value = line.partition(":")
                    value = value.removeprefix(" ")
                    if name == "event":
                        kind = value
                    elif name == "data":
                        data.append(value)
                    elif name == "id":
                        new_id = value
                    elif not line:
                        last_id = new_id
                        if data and kind != "hello":
                            yield json.loads("\n".join(data))
                            if kind in TERMINAL:
                                return
                        kind, data = "", []
        except urllib.error.HTTPError as problem:
            sys.exit(f"{problem.code}: {json.load(problem).get('detail')}")
        except OSError as broken:
            print(f"connection lost ({broken}), trying again", file=sys.stderr)
        time.sleep(1)


def search(word):
    """A page can be found a moment after it was fetched: it takes the way over a queue."""
    query = urllib.parse.urlencode({"q": word, "size": 5})
    for _ in range(20):
        answer = call(f"/api/search?{query}")
        if answer["hits"]:
            break
        time.sleep(0.5)
    return answer


def plain(text):
    """Without tags and without what could steer a terminal: pages are written by anybody."""
    return "".join(c for c in html.unescape(re.sub("</?em>", "", text)) if c.isprintable())


start, word = (sys.argv[1:] + ["https://example.org/", "example"][len(sys.argv) - 1:])[:2]
crawl = call("/api/crawls", {"url": start, "email": "you@example.org", "maxPages": 20})["id"]
print("crawl", crawl)
for event in events(crawl):
    done = event["data"] if event["type"] == "progress" else {}
    print(event["type"], *(f"{name} {done[name]}" for name in ("found", "fetched", "failed") if name in done))
record = call(f"/api/crawls/{crawl}")
if record["status"] != "completed":
    sys.exit(f"{record['status']}: {record['result']}")
found = search(word)
print(found["total"], "found")
for hit in found["hits"]:
    print(f"{plain(hit['title'])}\n  {plain(hit['url'])}\n  {plain(hit['snippet'])}")

#!/usr/bin/env python3
"""Submits a job, follows its events over broken connections, prints its result.

    ./tidemill up                  # in one terminal
    python3 examples/jobs.py       # in another; standard library only
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("TIDEMILL_HTTP_URL", "http://127.0.0.1:8080").rstrip("/")
KEY = os.environ.get("TIDEMILL_API_KEY")
TERMINAL = ("done", "error", "canceled")


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


def events(job_id):
    """Every event once, in order; a cut connection goes on where it was."""
    last_id, path = None, f"/v1/jobs/{job_id}/events"
    while True:
        headers = {"Accept": "text/event-stream"}
        if last_id:
            headers["Last-Event-ID"] = last_id
        try:
            with urllib.request.urlopen(request(path, **headers), timeout=60) as stream:
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


payload = {"name": "sleep", "arguments": {"ms": 2000}}
job = call("/v1/jobs", {"task": "tool", "payload": payload})["job_id"]
print("job", job)
for event in events(job):
    print(event["type"], event["step"], json.dumps(event["data"]))
record = call(f"/v1/jobs/{job}")
print(json.dumps(record["result"] or record["error"], indent=2))
sys.exit(0 if record["status"] == "done" else 1)

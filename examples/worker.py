#!/usr/bin/env python3
"""A worker of the jobs contract in another language: standard library only.

    ./tidemill up --only gateway                              # no worker of ours
    eval "$(./tidemill env)" && python3 examples/worker.py    # this one instead
    ./tidemill job chat '{"prompt":"hello"}' --follow

The order is the contract: state, event, and the acknowledgement last. Work that takes longer than
LEASE would have to renew its claim meanwhile (XCLAIM ... JUSTID); this one is quick.
"""
import json
import os
import socket
import time
import uuid
from urllib.parse import unquote, urlparse

STREAM, GROUP, ME, LEASE = "jobs:stream", "workers", f"python-{uuid.uuid4().hex[:8]}", 60_000


class Redis:
    """RESP2 over one socket."""

    def __init__(self, url):
        address = urlparse(url)
        self.socket = socket.create_connection((address.hostname, address.port or 6379))
        self.reader = self.socket.makefile("rb")
        if address.password:
            user = [unquote(address.username)] if address.username else []
            self.call("AUTH", *user, unquote(address.password))
        if address.path.strip("/"):
            self.call("SELECT", address.path.strip("/"))

    def call(self, *words):
        words = [str(word).encode() for word in words]
        parts = [b"*%d\r\n" % len(words)] + [b"$%d\r\n%s\r\n" % (len(w), w) for w in words]
        self.socket.sendall(b"".join(parts))
        return self.reply()

    def reply(self):
        line = self.reader.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError("Redis closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise RuntimeError(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == b"-1" else self.reader.read(int(rest) + 2)[:-2].decode("utf-8", "replace")
        if kind == b"*":
            return None if rest == b"-1" else [self.reply() for _ in range(int(rest))]
        return rest.decode()


def handle(task, payload):
    """The work itself: whatever this raises ends the job as an error."""
    if payload.get("fail"):
        raise ValueError("asked to fail")
    return {"task": task, "answer": "hello from Python", "payload": payload}


def work(redis, entry, fields):
    job, events = f"job:{fields['job_id']}", f"job:{fields['job_id']}:events"
    status, ttl = redis.call("HMGET", job, "status", "ttl_s")

    def record(kind, step, data, **changes):
        now = int(time.time() * 1000)
        pairs = [text for pair in {**changes, "status": kind, "updated_ts": now}.items() for text in pair]
        redis.call("HSET", job, *pairs)
        redis.call("XADD", events, "*", "type", kind, "ts", now, "step", step, "data", json.dumps(data))
        for name in (job, events):
            redis.call("EXPIRE", name, ttl or 3600)

    # Queued, or running for a worker that died; expired, canceled and finished jobs are only acknowledged.
    if status in ("queued", "running"):
        record("running", "worker.start", {"worker": ME})
        try:
            try:
                payload = json.loads(fields["payload"])
            except ValueError:
                payload = {"_raw": fields["payload"]}
            result = handle(fields["task"], payload)
            record("done", "worker.done", {"result": result}, result=json.dumps(result))
        except Exception as failure:
            error = {"code": "HANDLER_FAILED", "message": str(failure)}
            record("error", "worker.error", error, error=json.dumps(error))
    redis.call("XACK", STREAM, GROUP, entry)
    print(entry, fields["job_id"], fields["task"], flush=True)


def main():
    redis = Redis(os.environ.get("TIDEMILL_REDIS_URL", "redis://127.0.0.1:6379"))
    try:
        redis.call("XGROUP", "CREATE", STREAM, GROUP, "0", "MKSTREAM")
    except RuntimeError as exists:
        if "BUSYGROUP" not in str(exists):
            raise
    print(f"{ME} waits for jobs", flush=True)
    while True:
        entries = redis.call("XAUTOCLAIM", STREAM, GROUP, ME, LEASE, "0-0", "COUNT", 1)[1]
        if not entries:
            answer = redis.call(
                "XREADGROUP", "GROUP", GROUP, ME, "COUNT", 1, "BLOCK", 5000, "STREAMS", STREAM, ">")
            entries = answer[0][1] if answer else []
        for entry, fields in entries:
            work(redis, entry, dict(zip(fields[::2], fields[1::2])))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass

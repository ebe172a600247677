#!/usr/bin/env python3
"""An event processor of the workflow contract in another language: Kafka in, work, Kafka out.

    apt install python3-kafka                                 # or: pip install kafka-python
    ./tidemill up --only gateway                              # no processor of ours
    eval "$(./tidemill env)" && python3 examples/foreign_processor.py
    ./tidemill workflow numbers --steps validate,sum --input '{"records":[{"n":1},{"n":2},{"n":"x"}]}' --follow

Every event goes to the partition that the first one was read from, whoever wrote it, so that they stay in order. The order is
the contract: what a record asks for is with the broker before the record counts as read.
"""
import json
import os
import signal
import sys
import time
import uuid
from datetime import datetime, timedelta, timezone

try:
    from kafka import KafkaConsumer, KafkaProducer
except ImportError:
    sys.exit("needs kafka-python: apt install python3-kafka, or pip install kafka-python")

WORKFLOWS, TASKS, GROUP = "workflows", "tasks", "workflow-processors"
HEADERS = [("content-type", b"application/json"), ("schema-version", b"1.0.0")]
METADATA = {"source": "event-processor", "processorId": "python-example"}
RETRY_AFTER = timedelta(seconds=float(os.environ.get("RETRY_AFTER_S", "30")))


def text(moment):
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now():
    return text(datetime.now(timezone.utc))


def validate(records):
    good = [record for record in records if isinstance(record.get("n"), (int, float))]
    return good, {"recordsProcessed": len(records), "validRecords": len(good), "invalidRecords": len(records) - len(good)}


def total(records):
    return records, {"sum": sum(record["n"] for record in records)}


STEPS = {"validate": validate, "sum": total}


class Failed(Exception):
    def __init__(self, code, message, retryable):
        super().__init__(message)
        self.error = {"code": code, "message": message, "retryable": retryable}


def export(data, retry_count):
    if retry_count < data.get("failures", 0):  # to see retries: {"failures": 2}
        raise Failed("NOT_YET", f"try {retry_count + 1} does not work", True)
    return {"rows": len(data.get("records", []))}


TYPES = {"data_export": export}


class Processor:
    def __init__(self, producer):
        self.producer = producer
        self.ended = set()  # a record may come twice
        self.created = {}
        self.due = {}

    def say(self, record, event_type, payload):
        event = {"eventType": event_type, "eventId": f"evt-{uuid.uuid4()}", "timestamp": now(), "payload": payload,
                 "metadata": METADATA}
        self.producer.send(
            record.topic, key=record.key, value=json.dumps(event).encode(), headers=HEADERS,
            partition=record.partition, timestamp_ms=int(time.time() * 1000)).get(30)
        print(record.key.decode(), event_type, flush=True)

    def handle(self, record):
        try:
            event = json.loads(record.value)
            kind, payload = event["eventType"], event["payload"]
        except (ValueError, KeyError, TypeError) as unreadable:
            print(f"skipped {record.topic}/{record.partition}/{record.offset}: {unreadable}", file=sys.stderr)
            return
        if kind == "workflow.created" and payload["workflowId"] not in self.ended:
            self.workflow(record, payload)
        elif kind == "task.created" and payload["taskId"] not in self.ended:
            self.created[payload["taskId"]] = payload
            self.task(record, payload, payload["retryCount"])
        elif kind == "task.failed" and payload["taskId"] not in self.ended:
            due = datetime.fromisoformat(payload["nextRetryAt"].replace("Z", "+00:00"))
            self.due[payload["taskId"]] = (due, record, payload["retryCount"])

    def workflow(self, record, payload):
        name, started = {"workflowId": payload["workflowId"]}, time.time()
        records = payload.get("input", {}).get("records", [])
        self.say(record, "workflow.processing",
                 {**name, "startedAt": now(), "currentStep": payload["steps"][0], "currentStepIndex": 0})
        first = len(records)
        for index, step in enumerate(payload["steps"]):
            begun = time.time()
            try:
                if step not in STEPS:
                    raise Failed("UNKNOWN_STEP", f"there is no step {step}", False)
                records, result = STEPS[step](records)
            except Failed as failure:
                error = {"code": failure.error["code"], "message": failure.error["message"], "stack": ""}
                self.say(record, "workflow.failed",
                         {**name, "failedAt": now(), "failedStep": step, "failedStepIndex": index, "error": error})
                return
            self.say(record, "workflow.step.completed",
                     {**name, "stepName": step, "stepIndex": index, "completedAt": now(),
                      "duration": int((time.time() - begun) * 1000), "result": result})
        self.ended.add(payload["workflowId"])
        summary = {"totalRecords": first, "successfulRecords": len(records), "failedRecords": first - len(records)}
        self.say(record, "workflow.completed",
                 {**name, "completedAt": now(), "duration": int((time.time() - started) * 1000),
                  "stepsCompleted": len(payload["steps"]), "summary": summary})

    def task(self, record, payload, retry_count):
        name, started = {"taskId": payload["taskId"]}, time.time()
        self.say(record, "task.processing", {**name, "startedAt": now(), "retryCount": retry_count})
        try:
            if payload["type"] not in TYPES:
                raise Failed("UNKNOWN_TASK_TYPE", f"there is no task {payload['type']}", False)
            result = TYPES[payload["type"]](payload["data"], retry_count)
        except Failed as failure:
            limits = {"retryCount": retry_count, "maxRetries": payload["maxRetries"]}
            if failure.error["retryable"] and retry_count < payload["maxRetries"]:
                limits["retryCount"] += 1
                self.say(record, "task.failed",
                         {**name, "failedAt": now(), **limits, "error": failure.error,
                          "nextRetryAt": text(datetime.now(timezone.utc) + RETRY_AFTER)})
                return
            self.ended.add(payload["taskId"])
            original = {"eventType": "task.created", "payload": payload}
            final = {"code": failure.error["code"], "message": failure.error["message"], "stack": ""}
            self.say(record, "task.dead_letter",
                     {**name, "originalEvent": original, **limits, "finalError": final, "deadLetteredAt": now()})
            return
        self.ended.add(payload["taskId"])
        self.say(record, "task.completed",
                 {**name, "completedAt": now(), "duration": int((time.time() - started) * 1000), "result": result})

    def retry(self):
        for task, (due, record, retry_count) in list(self.due.items()):
            if due <= datetime.now(timezone.utc):
                del self.due[task]
                if task in self.created:  # one that keeps its tasks in a database would know the others as well
                    self.task(record, self.created[task], retry_count)


def main():
    bootstrap = os.environ.get("TIDEMILL_KAFKA_BOOTSTRAP", "127.0.0.1:9092")
    processor = Processor(KafkaProducer(bootstrap_servers=bootstrap, acks="all", retries=5))
    consumer = KafkaConsumer(
        WORKFLOWS, TASKS, bootstrap_servers=bootstrap, group_id=GROUP, enable_auto_commit=False,
        auto_offset_reset="latest", session_timeout_ms=30000, heartbeat_interval_ms=3000, max_poll_records=10)
    print("waits for events", flush=True)
    try:
        while True:
            batch = [record for records in consumer.poll(200).values() for record in records]
            for record in batch:
                processor.handle(record)
            if batch:
                consumer.commit()
            processor.retry()
    finally:
        consumer.close()  # leaves the group: the next one need not wait until this one counts as lost


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        pass

#!/usr/bin/env python3
"""A gateway of the workflow contract in another language: one event in Kafka, then what happens to it.

    apt install python3-kafka                                 # or: pip install kafka-python
    ./tidemill up
    eval "$(./tidemill env)"
    python3 examples/foreign_gateway.py workflow '{"name":"Theirs","steps":["validate"],"input":{"records":[{"n":1}]}}'
    python3 examples/foreign_gateway.py task '{"type":"data_export","data":{"records":[{"n":1}]}}'

Ends with 0 when it is completed. Tidemill's own gateway shows it as well: ./tidemill workflow list
"""
import json
import os
import sys
import time
import uuid
from datetime import datetime, timezone

try:
    from kafka import KafkaConsumer, KafkaProducer, TopicPartition
except ImportError:
    sys.exit("needs kafka-python: apt install python3-kafka, or pip install kafka-python")

HEADERS = [("content-type", b"application/json"), ("schema-version", b"1.0.0")]
LAST = {"workflow.completed", "workflow.failed", "task.completed", "task.dead_letter"}


def created(kind, wish):
    moment = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if kind == "workflow":
        payload = {"workflowId": f"wf-{uuid.uuid4()}", "priority": "medium", **wish, "createdAt": moment}
    else:
        payload = {"taskId": f"task-{uuid.uuid4()}", "maxRetries": 3, **wish, "retryCount": 0, "createdAt": moment}
    return {"eventType": f"{kind}.created", "eventId": f"evt-{uuid.uuid4()}", "timestamp": moment, "payload": payload,
            "metadata": {"source": "python-example", "userId": None, "apiVersion": "1.0.0"}}


def main(kind, wish):
    bootstrap = os.environ.get("TIDEMILL_KAFKA_BOOTSTRAP", "127.0.0.1:9092")
    topic, event = kind + "s", created(kind, json.loads(wish))
    key = event["payload"][kind + "Id"].encode()
    producer = KafkaProducer(bootstrap_servers=bootstrap, acks="all", retries=5)
    place = producer.send(topic, key=key, value=json.dumps(event).encode(), headers=HEADERS,
                          timestamp_ms=int(time.time() * 1000)).get(30)
    print(key.decode(), flush=True)
    consumer = KafkaConsumer(bootstrap_servers=bootstrap, enable_auto_commit=False)
    partition = TopicPartition(topic, place.partition)
    consumer.assign([partition])
    consumer.seek(partition, place.offset + 1)
    for record in consumer:
        if record.key != key:
            continue
        said = json.loads(record.value)
        print(said["eventType"], json.dumps(said["payload"]), flush=True)
        if said["eventType"] in LAST:
            return 0 if said["eventType"].endswith(".completed") else 1


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("workflow", "task"):
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1], sys.argv[2]))
    except KeyboardInterrupt:
        pass

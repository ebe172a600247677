#!/usr/bin/env python3
"""Sends posts of your own to Tidemill's analytics: contract C5 in its inline format, with a plain AMQP client.

    apt install python3-pika                                  # or: pip install pika
    ./tidemill up
    eval "$(./tidemill env)"
    python3 examples/collected.py shoes "What a lovely pair of boots!" "They broke after a week, terrible."
    ./tidemill analytics shoes

A post needs no object store. Larger batches go there first, and a message says where; see docs/analytics.md.
"""
import hashlib
import json
import os
import sys

import pika


def post(project, text):
    # The same text is the same post: sent again it changes nothing.
    identity = hashlib.sha256(text.encode()).hexdigest()
    return {"meta": {"id": identity, "project_id": project, "platform": "example"}, "content": {"text": text}}


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: collected.py PROJECT TEXT...")
    project, texts = sys.argv[1], sys.argv[2:]
    connection = pika.BlockingConnection(pika.URLParameters(os.environ["TIDEMILL_AMQP_URL"]))
    channel = connection.channel()
    channel.tx_select()  # the broker has it when the commit returns; confirms would do as well, where pika knows of them
    channel.basic_publish(
        "smap.events",
        "data.collected",
        json.dumps([post(project, text) for text in texts]),
        pika.BasicProperties(delivery_mode=2, content_type="application/json"),
    )
    channel.tx_commit()
    connection.close()
    print(f"{len(texts)} posts sent to {project}")


main()

#!/usr/bin/env python3
"""A crawl worker of the crawl contract in another language: Kafka in, a page, Kafka out.

    apt install python3-kafka                                 # or: pip install kafka-python
    ./tidemill up --only gateway                              # no crawler of ours
    eval "$(./tidemill env)" && python3 examples/foreign_crawler.py
    ./tidemill crawl https://example.org/ --follow

The order is the contract: the response is with the broker before the request counts as read. It
fetches whatever it is asked for, one page a request: keep it away from hosts that nobody should see.
"""
import json
import os
import signal
import sys
import urllib.request
from html.parser import HTMLParser

try:
    from kafka import KafkaConsumer, KafkaProducer
except ImportError:
    sys.exit("needs kafka-python: apt install python3-kafka, or pip install kafka-python")

REQUESTS, RESPONSES, GROUP = "crawl-requests", "crawl-responses", "crawl-workers"
COPIED = ("id", "email", "createdAt")
MOST = 5_000_000


class Page(HTMLParser):
    """The title and the words of a page."""

    def __init__(self, html):
        super().__init__()
        self.title, self.words, self.inside = "", [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag in ("title", "script", "style"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data):
        if "title" in self.inside:
            self.title += data
        elif not self.inside:
            self.words += data.split()


def crawl(url):
    if not url.startswith(("http://", "https://")):  # urllib would read files as well
        raise ValueError("url must be an http or https URL")
    request = urllib.request.Request(url, headers={"User-Agent": "foreign-crawler-example"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        html = answer.read(MOST).decode(answer.headers.get_content_charset() or "utf-8", "replace")
        page = Page(html)
        return {"url": answer.url, "status": answer.status, "title": page.title.strip(), "text": " ".join(page.words)}


def respond(value):
    """Every request gets an answer, a bad one too."""
    try:
        return {"success": True, "scrapedData": crawl(json.loads(value)["url"])}
    except Exception as failure:
        return {"success": False, "errorMessage": str(failure)[:500] or type(failure).__name__}


def answer(producer, record):
    headers = [(name, value) for name, value in record.headers if name in COPIED]
    if not {"id", "email"} <= {name for name, _ in headers}:
        print(f"nobody to answer: {record.topic}/{record.partition}/{record.offset}", file=sys.stderr)
        return
    response = respond(record.value)
    value = json.dumps(response).encode()
    producer.send(RESPONSES, key=record.key, value=value, headers=headers).get(30)
    print(record.key, "fetched" if response["success"] else response["errorMessage"], flush=True)


def main():
    bootstrap = os.environ.get("TIDEMILL_KAFKA_BOOTSTRAP", "127.0.0.1:9092")
    producer = KafkaProducer(bootstrap_servers=bootstrap, acks="all", retries=5)
    consumer = KafkaConsumer(
        REQUESTS, bootstrap_servers=bootstrap, group_id=GROUP, enable_auto_commit=False,
        auto_offset_reset="earliest", max_poll_records=10)
    print("waits for requests", flush=True)
    try:
        while True:
            batch = [record for records in consumer.poll(1000).values() for record in records]
            for record in batch:
                answer(producer, record)
            if batch:
                consumer.commit()
    finally:
        consumer.close()  # leaves the group: the next one need not wait until this one counts as lost


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        main()
    except KeyboardInterrupt:
        pass

#!/usr/bin/env python3
"""An indexer of the pages contract in another language: AMQP in, SQLite's full text search out.

    apt install python3-pika                                  # or: pip install pika
    ./tidemill up --only gateway,crawler                      # no indexer of ours
    eval "$(./tidemill env)"
    python3 examples/foreign_indexer.py pages.db              # this one instead
    ./tidemill crawl https://example.org/ --pages 20 --follow
    python3 examples/foreign_indexer.py pages.db example      # what is in it

The order is the contract: first the database has the pages durably, then they are acknowledged. A
crash between the two delivers them again, and the last message for a URL wins.
"""
import json
import os
import signal
import sqlite3
import sys

QUEUE, DEAD, BATCH = "crawler_queue", "crawler_queue.dead", 100


def database(path):
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE IF NOT EXISTS pages (id INTEGER PRIMARY KEY, url TEXT UNIQUE, title TEXT, timestamp TEXT)")
    db.execute("CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (title, description, text)")
    return db


def read(body):
    """The fields of a page; whatever this raises, no retry would make it better."""
    page = json.loads(body)
    meta = page["metadata"]
    fields = page["url"], page["text"], meta["title"], meta.get("description") or "", meta["timestamp"]
    if not page["url"] or not all(isinstance(field, str) for field in fields):
        raise ValueError("a field is no text")
    return fields


def store(db, url, text, title, description, timestamp):
    db.execute(
        "INSERT INTO pages (url, title, timestamp) VALUES (?, ?, ?) ON CONFLICT (url)"
        " DO UPDATE SET title = excluded.title, timestamp = excluded.timestamp", (url, title, timestamp))
    (row,) = db.execute("SELECT id FROM pages WHERE url = ?", (url,)).fetchone()
    db.execute("DELETE FROM words WHERE rowid = ?", (row,))
    db.execute("INSERT INTO words (rowid, title, description, text) VALUES (?, ?, ?, ?)", (row, title, description, text))


def consume(db, url):
    import pika  # only here: to search, nobody needs it

    connection = pika.BlockingConnection(pika.URLParameters(url))
    channel = connection.channel()
    channel.tx_select()  # a dead letter and the acknowledgements: both or neither
    for queue in (QUEUE, DEAD):
        channel.queue_declare(queue, durable=True)
    channel.basic_qos(prefetch_count=2 * BATCH)
    print("waits for pages", flush=True)
    last, waiting = None, 0
    # After 0.2 s without a message it yields nothing: then what waits is stored.
    for method, properties, body in channel.consume(QUEUE, inactivity_timeout=0.2):
        if method:
            try:
                store(db, *read(body))
            except (ValueError, KeyError, TypeError, AttributeError) as hopeless:
                channel.basic_publish("", DEAD, body, pika.BasicProperties(
                    delivery_mode=2, headers={**(properties.headers or {}), "reason": str(hopeless)[:200]}))
            last, waiting = method.delivery_tag, waiting + 1
        if waiting and (not method or waiting >= BATCH):
            db.commit()
            channel.basic_ack(last, multiple=True)
            channel.tx_commit()
            print(f"stored {waiting}", flush=True)
            waiting = 0


def search(db, query):
    phrase = '"' + query.replace('"', '""') + '"'
    rows = db.execute(
        "SELECT pages.url, pages.title, snippet(words, 2, '[', ']', '…', 12) FROM words"
        " JOIN pages ON pages.id = words.rowid WHERE words MATCH ? ORDER BY rank LIMIT 10", (phrase,))
    for row in rows:
        print("\n  ".join("".join(c for c in text if c.isprintable()) for text in row))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: foreign_indexer.py DATABASE [QUERY]")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if len(sys.argv) > 2:
            search(database(sys.argv[1]), " ".join(sys.argv[2:]))
        else:
            consume(database(sys.argv[1]), os.environ.get("TIDEMILL_AMQP_URL", "amqp://guest:guest@127.0.0.1:5672"))
    except ImportError:
        sys.exit("needs pika: apt install python3-pika, or pip install pika")
    except KeyboardInterrupt:
        pass

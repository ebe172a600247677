"""What both brokers have to do alike, with pika: `checks.py amqp://user:password@host:port`."""

import sys
import time
import uuid

import pika
from pika.exceptions import (
    ChannelClosedByBroker,
    NackError,
    ProbableAuthenticationError,
    UnroutableError,
)

URL = sys.argv[1]
CHECKS = []


def check(body):
    CHECKS.append(body)
    return body


def name():
    return "check-" + uuid.uuid4().hex


def arrives(channel, queue, seconds=10):
    """The next message of a queue, acknowledged."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        method, properties, body = channel.basic_get(queue, auto_ack=True)
        if method is not None:
            return properties, body.decode()
        time.sleep(0.02)
    raise AssertionError("nothing arrived in " + queue)


def depth(channel, queue):
    return channel.queue_declare(queue, passive=True).method.message_count


def settles(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)


def declared(channel, **arguments):
    queue = name()
    named = {key.replace("_", "-"): value for key, value in arguments.items()}
    channel.queue_declare(queue, durable=True, arguments=named)
    return queue


def refused(code, connection, body):
    """The body's mistake costs its channel, with this code, and not the connection."""
    channel = connection.channel()
    try:
        body(channel)
    except ChannelClosedByBroker as closed:
        assert closed.reply_code == code, closed
        assert connection.is_open
        assert connection.channel().is_open
        return
    raise AssertionError("it was accepted")


@check
def offers_capabilities(connection, channel):
    assert connection.publisher_confirms_supported
    assert connection.basic_nack_supported
    assert connection.consumer_cancel_notify_supported


@check
def confirms(connection, channel):
    queue = declared(channel)
    channel.confirm_delivery()
    channel.basic_publish("", queue, b"one", mandatory=True)
    assert arrives(channel, queue)[1] == "one"


@check
def returns_what_no_queue_takes(connection, channel):
    channel.confirm_delivery()
    for _ in range(3):
        try:
            channel.basic_publish("", name(), b"lost", mandatory=True)
        except UnroutableError as error:
            assert error.messages[0].body == b"lost"
            continue
        raise AssertionError("it was accepted")
    channel.basic_publish("", name(), b"nobody asked", mandatory=False)


@check
def keeps_messages_until_they_expire(connection, channel):
    queue = declared(channel)
    sent = pika.BasicProperties(expiration="60000", delivery_mode=2)
    channel.basic_publish("", queue, b"stays", sent)
    time.sleep(0.5)
    properties, body = arrives(channel, queue)
    assert (properties.expiration, body) == ("60000", "stays")


@check
def drops_what_has_expired(connection, channel):
    queue = declared(channel)
    channel.basic_publish("", queue, b"goes", pika.BasicProperties(expiration="100"))
    settles(lambda: depth(channel, queue) == 0)


@check
def dead_letters_what_has_expired(connection, channel):
    dead = declared(channel)
    queue = declared(channel, x_dead_letter_exchange="", x_dead_letter_routing_key=dead)
    channel.basic_publish("", queue, b"old", pika.BasicProperties(expiration="100"))
    properties, body = arrives(channel, dead)
    death = properties.headers["x-death"][0]
    assert body == "old"
    assert properties.expiration is None
    assert death["reason"] == "expired" and death["queue"] == queue and death["count"] == 1
    assert death["exchange"] == "" and death["routing-keys"] == [queue]
    assert death["original-expiration"] == "100"
    assert abs(death["time"].timestamp() - time.time()) < 3600 * 26, death["time"]
    assert properties.headers["x-first-death-queue"] == queue


@check
def expires_by_the_queue(connection, channel):
    dead = declared(channel)
    exchange = name()
    channel.exchange_declare(exchange, "fanout")
    channel.queue_bind(dead, exchange)
    queue = declared(channel, x_message_ttl=100, x_dead_letter_exchange=exchange)
    channel.basic_publish("", queue, b"old", pika.BasicProperties(headers={"mine": 7}))
    properties, body = arrives(channel, dead)
    assert (body, properties.headers["mine"]) == ("old", 7)
    assert properties.headers["x-first-death-reason"] == "expired"


@check
def dead_letters_what_is_rejected(connection, channel):
    dead = declared(channel)
    queue = declared(channel, x_dead_letter_exchange="", x_dead_letter_routing_key=dead)
    for count in (1, 2):
        if count == 1:
            channel.basic_publish("", queue, b"bad", pika.BasicProperties(delivery_mode=2))
        method, _, _ = channel.basic_get(queue)
        channel.basic_reject(method.delivery_tag, requeue=False)
        properties, body = arrives(channel, dead)
        death = properties.headers["x-death"][0]
        assert (body, death["reason"], death["count"]) == ("bad", "rejected", count), death
        channel.basic_publish("", queue, body.encode(), properties)


@check
def nacks_several_at_once(connection, channel):
    dead = declared(channel)
    queue = declared(channel, x_dead_letter_exchange="", x_dead_letter_routing_key=dead)
    for i in range(5):
        channel.basic_publish("", queue, str(i).encode())
    settles(lambda: depth(channel, queue) == 5)
    for requeue, left, gone in ((True, 5, 0), (False, 0, 5)):
        for _ in range(5):
            last = channel.basic_get(queue)[0]
        channel.basic_nack(last.delivery_tag, multiple=True, requeue=requeue)
        settles(lambda: depth(channel, queue) == left and depth(channel, dead) == gone)


@check
def refuses_a_queue_declared_otherwise(connection, channel):
    queue = declared(channel, x_message_ttl=60000)
    channel.queue_declare(queue, durable=True, arguments={"x-message-ttl": 60000})
    refused(406, connection, lambda c: c.queue_declare(queue, durable=False))
    refused(406, connection, lambda c: c.queue_declare(queue, durable=True))
    refused(406, connection, lambda c: c.queue_declare(queue, durable=True, arguments={"x-message-ttl": 1}))


@check
def refuses_wrong_arguments(connection, channel):
    for arguments in ({"x-message-ttl": -1}, {"x-message-ttl": "soon"}, {"x-overflow": "explode"}):
        refused(406, connection, lambda c: c.queue_declare(name(), durable=True, arguments=arguments))


@check
def refuses_an_exchange_declared_otherwise(connection, channel):
    exchange = name()
    channel.exchange_declare(exchange, "topic", durable=True)
    channel.exchange_declare(exchange, "topic", durable=True)
    refused(406, connection, lambda c: c.exchange_declare(exchange, "direct", durable=True))
    refused(406, connection, lambda c: c.exchange_declare(exchange, "topic", durable=False))
    channel.exchange_delete(exchange)


@check
def refuses_what_is_not_there(connection, channel):
    refused(404, connection, lambda c: c.basic_get(name()))
    refused(404, connection, lambda c: c.queue_declare(name(), passive=True))
    refused(404, connection, lambda c: c.exchange_declare(name(), passive=True))
    channel.queue_delete(name())
    channel.exchange_delete(name())


@check
def refuses_reserved_names(connection, channel):
    queue = declared(channel)
    refused(403, connection, lambda c: c.exchange_declare("amq.mine", "topic"))
    refused(403, connection, lambda c: c.queue_bind(queue, "", "key"))
    refused(403, connection, lambda c: c.exchange_declare("", "direct"))
    refused(403, connection, lambda c: c.exchange_delete("amq.direct"))


@check
def refuses_unknown_delivery_tags(connection, channel):
    queue = declared(channel)

    def twice(other):
        other.basic_publish("", queue, b"once")
        settles(lambda: depth(other, queue) == 1)
        tag = other.basic_get(queue)[0].delivery_tag
        other.basic_ack(tag)
        other.basic_ack(tag)
        depth(other, queue)

    refused(406, connection, twice)


@check
def locks_exclusive_queues(connection, channel):
    queue = name()
    channel.queue_declare(queue, exclusive=True)
    other = pika.BlockingConnection(pika.URLParameters(URL))
    refused(405, other, lambda c: c.queue_declare(queue, passive=True))
    other.close()


@check
def keeps_to_the_length(connection, channel):
    queue = declared(channel, x_max_length=3)
    channel.confirm_delivery()
    for i in range(6):
        channel.basic_publish("", queue, str(i).encode())
    assert [arrives(channel, queue)[1] for _ in range(3)] == ["3", "4", "5"]


@check
def refuses_what_is_too_much(connection, channel):
    queue = declared(channel, x_max_length=2, x_overflow="reject-publish")
    channel.confirm_delivery()
    for i in range(2):
        channel.basic_publish("", queue, b"fits")
    for mandatory in (False, True):
        try:
            channel.basic_publish("", queue, b"too much", mandatory=mandatory)
        except NackError:
            continue
        raise AssertionError("it was accepted")


@check
def delivers_by_priority(connection, channel):
    queue = declared(channel, x_max_priority=5)
    channel.confirm_delivery()
    for priority in (1, 5, 3):
        sent = pika.BasicProperties(priority=priority)
        channel.basic_publish("", queue, str(priority).encode(), sent)
    assert [arrives(channel, queue)[1] for _ in range(3)] == ["5", "3", "1"]


@check
def sends_elsewhere_what_has_no_route(connection, channel):
    other, exchange = name(), name()
    caught = declared(channel)
    channel.exchange_declare(other, "fanout")
    channel.queue_bind(caught, other)
    channel.exchange_declare(exchange, "direct", arguments={"alternate-exchange": other})
    channel.basic_publish(exchange, "nowhere", b"caught")
    assert arrives(channel, caught)[1] == "caught"


@check
def cancels_consumers_of_a_deleted_queue(connection, channel):
    queue = declared(channel)
    canceled = []
    channel.add_on_cancel_callback(canceled.append)
    channel.basic_consume(queue, lambda *_: None)
    other = connection.channel()
    other.queue_delete(queue)
    end = time.monotonic() + 10
    while not canceled:
        assert time.monotonic() < end, "the consumer was not canceled"
        connection.process_data_events(0.05)


@check
def refuses_a_wrong_password(connection, channel):
    parameters = pika.URLParameters(URL)
    parameters.credentials = pika.PlainCredentials(parameters.credentials.username, "wrong")
    try:
        pika.BlockingConnection(parameters)
    except ProbableAuthenticationError:
        return
    raise AssertionError("it was let in")


def run():
    failures = 0
    for body in CHECKS:
        connection = pika.BlockingConnection(pika.URLParameters(URL))
        try:
            body(connection, connection.channel())
            print("ok", body.__name__)
        except Exception as error:  # each check says for itself what is wrong
            failures += 1
            print("FAILED", body.__name__, type(error).__name__, error)
        finally:
            if connection.is_open:
                connection.close()
    return failures


if __name__ == "__main__":
    sys.exit(1 if run() else 0)

"""The same broker with aio-pika, as asynchronous programs use it: `checks_async.py amqp://…`."""

import asyncio
import sys
import uuid

import aio_pika
from aio_pika.exceptions import DeliveryError

URL = sys.argv[1]


async def run():
    connection = await aio_pika.connect_robust(URL)
    async with connection:
        channel = await connection.channel(publisher_confirms=True, on_return_raises=True)
        await channel.set_qos(prefetch_count=10)
        dead = await channel.declare_queue("check-" + uuid.uuid4().hex, durable=True)
        queue = await channel.declare_queue(
            "check-" + uuid.uuid4().hex,
            durable=True,
            arguments={"x-dead-letter-exchange": "", "x-dead-letter-routing-key": dead.name},
        )
        for body in (b"keep", b"reject"):
            await channel.default_exchange.publish(
                aio_pika.Message(body, expiration=60), routing_key=queue.name)
        async with queue.iterator() as messages:
            async for message in messages:
                if message.body == b"keep":
                    await message.ack()
                else:
                    await message.reject(requeue=False)
                    break
        rejected = await dead.get(timeout=10, fail=True)
        assert rejected.body == b"reject"
        assert rejected.headers["x-death"][0]["reason"] == "rejected"
        await rejected.ack()
        print("ok publishes, consumes and dead-letters")
        try:
            await channel.default_exchange.publish(
                aio_pika.Message(b"lost"), routing_key="check-" + uuid.uuid4().hex, mandatory=True)
            raise AssertionError("an unroutable message was accepted")
        except DeliveryError:
            print("ok returns what no queue takes")


asyncio.run(asyncio.wait_for(run(), 60))

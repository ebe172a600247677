package io.tidemill.bench.raw;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DeliverCallback;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/// What the client library does when nothing stands around it: confirms in a pipeline, and
/// acknowledging a hundred at once.
public final class RawAmqp implements AutoCloseable {
  private static final int ON_THE_WAY = 1_000;
  private static final int TOGETHER = 100;
  private static final BasicProperties PERSISTENT =
      new BasicProperties.Builder().deliveryMode(2).contentType("application/json").build();

  private final Connection connection;

  public RawAmqp(String address) throws IOException {
    var factory = new ConnectionFactory();
    try {
      factory.setUri(address);
      connection = factory.newConnection("bench");
    } catch (URISyntaxException | GeneralSecurityException | TimeoutException wrong) {
      throw new IOException("can't connect to " + address, wrong);
    }
  }

  /// Returns when the broker has confirmed all.
  public void publish(String queue, int count, IntFunction<byte[]> body)
      throws IOException, InterruptedException {
    var channel = connection.createChannel();
    var room = new Semaphore(ON_THE_WAY);
    var confirmed = new AtomicLong();
    channel.confirmSelect();
    channel.addConfirmListener(
        (number, multiple) ->
            room.release(multiple ? (int) (number - confirmed.getAndSet(number)) : one(confirmed)),
        (number, _) -> {
          throw new IOException("message " + number + " was refused");
        });
    for (int i = 0; i < count; i++) {
      room.acquire();
      channel.basicPublish("", queue, PERSISTENT, body.apply(i));
    }
    if (!room.tryAcquire(ON_THE_WAY, 60, TimeUnit.SECONDS)) {
      throw new IOException("the broker confirms no more");
    }
    close(channel);
  }

  private static int one(AtomicLong confirmed) {
    confirmed.incrementAndGet();
    return 1;
  }

  /// Returns when `count` messages were delivered and acknowledged.
  public void consume(String queue, int count) throws IOException, InterruptedException {
    var channel = connection.createChannel();
    var done = new CountDownLatch(1);
    var got = new AtomicInteger();
    channel.basicQos(2 * TOGETHER);
    DeliverCallback take =
        (_, delivery) -> {
          var number = got.incrementAndGet();
          if (number % TOGETHER == 0 || number == count) {
            channel.basicAck(delivery.getEnvelope().getDeliveryTag(), true);
          }
          if (number == count) done.countDown();
        };
    channel.basicConsume(queue, false, take, _ -> {});
    if (!done.await(120, TimeUnit.SECONDS)) throw new IOException("the broker delivers no more");
    close(channel);
  }

  public void purge(String queue) throws IOException {
    var channel = connection.createChannel();
    channel.queuePurge(queue);
    close(channel);
  }

  private static void close(Channel channel) throws IOException {
    try {
      channel.close();
    } catch (TimeoutException late) {
      throw new IOException(late);
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}

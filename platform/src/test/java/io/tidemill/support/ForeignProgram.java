package io.tidemill.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeoutException;

/// Somebody else's program at the broker: the plain client, and none of our code.
public final class ForeignProgram implements AutoCloseable {
  private final Connection connection;
  private final Channel channel;

  public ForeignProgram(int port) throws IOException, TimeoutException {
    var factory = new ConnectionFactory();
    factory.setHost("127.0.0.1");
    factory.setPort(port);
    factory.setAutomaticRecoveryEnabled(false);
    connection = factory.newConnection();
    channel = connection.createChannel();
    channel.confirmSelect();
  }

  public Channel channel() {
    return channel;
  }

  /// An empty durable queue, declared as everybody does.
  public String queue(String name) throws IOException {
    channel.queueDeclare(name, true, false, false, null);
    channel.queuePurge(name);
    return name;
  }

  public void publish(String queue, String body) throws IOException {
    publish(queue, body.getBytes(UTF_8), MessageProperties.PERSISTENT_BASIC);
  }

  public void publish(String queue, byte[] body, BasicProperties properties) throws IOException {
    channel.basicPublish("", queue, properties, body);
  }

  public void publish(String queue, byte[] body, Map<String, Object> headers) throws IOException {
    publish(queue, body, MessageProperties.PERSISTENT_BASIC.builder().headers(headers).build());
  }

  public void confirm() throws IOException {
    try {
      channel.waitForConfirmsOrDie(20_000);
    } catch (InterruptedException | TimeoutException late) {
      throw new IOException(late);
    }
  }

  public long depth(String queue) throws IOException {
    return channel.messageCount(queue);
  }

  /// Takes everything out of a queue.
  public List<Delivery> drain(String queue) throws IOException {
    var there = depth(queue);
    var all = new LinkedBlockingQueue<Delivery>();
    var consumer = channel.basicConsume(queue, true, (_, got) -> all.add(got), _ -> {});
    await().until(() -> all.size() >= there);
    channel.basicCancel(consumer);
    return List.copyOf(all);
  }

  /// The bodies of everything in a queue, taken out.
  public List<String> bodies(String queue) throws IOException {
    return drain(queue).stream().map(got -> new String(got.getBody(), UTF_8)).toList();
  }

  @Override
  public void close() {
    connection.abort(1_000);
  }
}

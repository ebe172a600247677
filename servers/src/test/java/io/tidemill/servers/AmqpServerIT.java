package io.tidemill.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AmqpServerIT extends LocalServerContract {

  private static final String QUEUE = "kept";
  private static final Map<String, Object> TO_DEAD =
      Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "dead");

  private long published;

  @Override
  String name() {
    return "amqp";
  }

  @Override
  LocalServer serverOn(Path dir, int port) {
    return new AmqpServer(dir, port, "guest", "guest");
  }

  @Test
  void refusesAWrongPassword() {
    var wrong = server.address().replace("guest:guest", "guest:wrong");

    assertThatThrownBy(() -> connect(wrong))
        .isInstanceOf(PossibleAuthenticationFailureException.class);
  }

  @Test
  void takesTheNewUserAndPasswordOfAnOldDirectoryThatMoved() throws Exception {
    var dir = newDir();
    try (var first = new AmqpServer(dir, 0, "guest", "guest")) {
      first.start();
      try (var client = connect(first.address())) {
        client.write("kept");
      }
    }
    var moved = Files.move(dir, scratch.resolve("moved"));

    try (var second = new AmqpServer(moved, 0, "a b/@", "${x}$$\"\\:%")) {
      second.start();

      var old = "amqp://guest:guest@127.0.0.1:" + second.port();
      assertThatThrownBy(() -> connect(old))
          .isInstanceOf(PossibleAuthenticationFailureException.class);
      try (var client = connect(second.address())) {
        assertThat(client.read()).containsExactly("kept");
      }
    }
    assertThat(dir).doesNotExist();
  }

  @Test
  void refusesADirectoryThatAnotherServerUses() throws Exception {
    var dir = newDir();
    try (var first = new AmqpServer(dir, 0, "guest", "guest");
        var second = new AmqpServer(dir, 0, "guest", "guest")) {
      first.start();

      assertThatThrownBy(second::start)
          .isInstanceOf(ServerException.class)
          .hasMessageContaining("is in use");
    }
  }

  @Test
  void leavesNoPasswordOnDisk() throws Exception {
    var dir = newDir();
    try (var other = new AmqpServer(dir, 0, "guest", "secret-of-the-test")) {
      other.start();
      try (var files = Files.walk(dir)) {
        for (var file : files.filter(Files::isRegularFile).toList()) {
          assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
              .doesNotContain("secret-of-the-test");
        }
      }
    }
  }

  @Test
  void ignoresQueueArgumentsItDoesNotKnow() throws Exception {
    try (var connection = factory(server.address()).newConnection();
        var channel = connection.createChannel()) {
      channel.queueDeclare("odd", true, false, false, Map.of("x-queue-type", "quorum"));

      assertThat(channel.queueDeclarePassive("odd").getMessageCount()).isZero();
    }
  }

  @Test
  void deadLettersWhatExpiredWhileItWasDown() throws Exception {
    var dir = newDir();
    try (var first = serverOn(dir, 0)) {
      first.start();
      try (var connection = factory(first.address()).newConnection();
          var channel = connection.createChannel()) {
        channel.confirmSelect();
        channel.queueDeclare("dead", true, false, false, null);
        channel.queueDeclare("mortal", true, false, false, TO_DEAD);
        publish(channel, "mortal", "1500", "expires while it is down");
        publish(channel, "mortal", "600000", "stays");
      }
    }
    await().until(() -> System.nanoTime() - published > 1_500_000_000L);

    try (var second = serverOn(dir, 0)) {
      second.start();
      try (var connection = factory(second.address()).newConnection();
          var channel = connection.createChannel()) {
        var dead = await().until(() -> channel.basicGet("dead", true), Objects::nonNull);
        var kept = channel.basicGet("mortal", true);

        assertThat(dead.getBody()).asString().isEqualTo("expires while it is down");
        assertThat(dead.getProps().getHeaders()).containsKey("x-death");
        assertThat(kept.getBody()).asString().isEqualTo("stays");
        assertThat(kept.getProps().getExpiration()).isEqualTo("600000");
      }
    }
  }

  @Test
  void givesAQueueOfAnEarlierVersionTheArgumentsThatItIsDeclaredWith() throws Exception {
    var dir = newDir();
    try (var first = serverOn(dir, 0)) {
      first.start();
      try (var connection = factory(first.address()).newConnection();
          var channel = connection.createChannel()) {
        channel.queueDeclare("old", true, false, false, null);
        channel.queueDeclare("dead", true, false, false, null);
      }
    }
    forgetArguments(dir.resolve("cfg").resolve("default.json"));

    try (var second = serverOn(dir, 0)) {
      second.start();
      try (var connection = factory(second.address()).newConnection();
          var channel = connection.createChannel()) {
        channel.confirmSelect();
        channel.queueDeclare("old", true, false, false, TO_DEAD);
        publish(channel, "old", "50", "expires");

        var dead = await().until(() -> channel.basicGet("dead", true), Objects::nonNull);
        assertThat(dead.getBody()).asString().isEqualTo("expires");
      }
    }
  }

  private void publish(Channel channel, String queue, String expiration, String body)
      throws Exception {
    var properties = MessageProperties.PERSISTENT_BASIC.builder().expiration(expiration).build();
    channel.basicPublish("", queue, properties, body.getBytes(StandardCharsets.UTF_8));
    channel.waitForConfirmsOrDie(5_000);
    published = System.nanoTime();
  }

  // Earlier versions stored no arguments.
  private static void forgetArguments(Path queues) throws IOException {
    var stored = Files.readString(queues);
    var forgotten = stored.replace("rabbitmq.arguments", "nothing");
    assertThat(forgotten).isNotEqualTo(stored);
    Files.writeString(queues, forgotten);
  }

  @Override
  Client connect(String address) throws Exception {
    var connection = factory(address).newConnection();
    var channel = connection.createChannel();
    channel.queueDeclare(QUEUE, true, false, false, Map.of());
    channel.confirmSelect();
    return new AmqpClient(connection, channel);
  }

  private static ConnectionFactory factory(String address) throws Exception {
    var factory = new ConnectionFactory();
    factory.setUri(address);
    factory.setAutomaticRecoveryEnabled(false);
    return factory;
  }

  private record AmqpClient(Connection connection, Channel channel) implements Client {

    @Override
    public void write(String item) throws Exception {
      var body = item.getBytes(StandardCharsets.UTF_8);
      channel.basicPublish("", QUEUE, MessageProperties.PERSISTENT_BASIC, body);
      channel.waitForConfirmsOrDie(5_000);
    }

    /// Messages that are not acknowledged return to the queue with the channel's end.
    @Override
    public Set<String> read() throws Exception {
      var items = new HashSet<String>();
      try (var reading = connection.createChannel()) {
        for (var got = reading.basicGet(QUEUE, false);
            got != null;
            got = reading.basicGet(QUEUE, false)) {
          items.add(new String(got.getBody(), StandardCharsets.UTF_8));
        }
      }
      return items;
    }

    @Override
    public void close() {
      connection.abort(1_000);
    }
  }
}

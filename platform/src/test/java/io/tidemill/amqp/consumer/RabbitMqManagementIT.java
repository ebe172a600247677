package io.tidemill.amqp.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.ManagementClient;
import io.tidemill.amqp.Topology;
import io.tidemill.amqp.inspect.QueueInspector;
import io.tidemill.support.ForeignProgram;
import io.tidemill.support.RabbitMq;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// How a queue is bound, as RabbitMQ itself tells it (C5.1).
class RabbitMqManagementIT {
  private static final Topology.Bound BOUND = new Topology.Bound("told", "told.queue", "a.key");

  @Test
  void whatElseIsBoundIsTold() throws Exception {
    var broker = RabbitMq.shared();
    var plain = broker.config();
    var config =
        new AmqpConfig(
            plain.url(), "guest", "guest", Duration.ofSeconds(30), broker.managementUrl());
    try (var topology = new Topology(config);
        var stranger = new ForeignProgram(broker.port())) {
      topology.provision(List.of(), List.of(BOUND));
      assertThat(new ManagementClient(config).findings(BOUND)).isEmpty();

      stranger.channel().exchangeDeclare("told.elsewhere", "fanout", true);
      stranger.channel().queueBind("told.queue", "told.elsewhere", "");
      stranger.channel().queueUnbind("told.queue", "told", "a.key");
      stranger.channel().exchangeDelete("told");
      stranger.channel().exchangeDeclare("told", "direct", true);

      assertThat(new ManagementClient(config).findings(BOUND))
          .containsExactlyInAnyOrder(
              "exchange told is of type direct: expected topic",
              "queue told.queue is also bound to told.elsewhere with '': what comes that way is read too",
              "queue told.queue is not bound to told with a.key");
      stranger.channel().queueDelete("told.queue");
      stranger.channel().exchangeDelete("told");
      stranger.channel().exchangeDelete("told.elsewhere");
      assertThatThrownBy(() -> new ManagementClient(config).findings(BOUND))
          .isInstanceOf(IOException.class)
          .hasMessage("status 404");
    }
  }

  @Test
  void aQueueThatCountsLooksIsNotLookedAt() throws Exception {
    var broker = RabbitMq.shared();
    var told =
        new AmqpConfig(
            broker.config().url(),
            "guest",
            "guest",
            Duration.ofSeconds(30),
            broker.managementUrl());
    try (var stranger = new ForeignProgram(broker.port());
        var peek = new QueueInspector(told);
        var untold = new QueueInspector(broker.config())) {
      var quorum = Map.<String, Object>of("x-queue-type", "quorum", "x-delivery-limit", 3);
      stranger.channel().queueDeclare("counting", true, false, false, quorum);
      stranger.queue("forgetting");

      assertThat(peek.objection("counting").orElse("")).contains("quorum");
      assertThat(peek.objection("forgetting")).isEmpty();
      assertThat(untold.objection("counting")).isEmpty();
      stranger.channel().queueDelete("counting");
      stranger.channel().queueDelete("forgetting");
    }
  }

  @Test
  void anAddressThatIsNoneIsRefusedWithoutSayingIt() {
    for (var url : List.of("http:///x", "rabbit:15672", "http://user:p^secret@host:1")) {
      assertThatThrownBy(() -> new AmqpConfig("amqp://h", "u", "p", Duration.ofSeconds(1), url))
          .hasMessage("amqp.management-url can't be used: expected http://host:port");
    }
  }
}

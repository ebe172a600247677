package io.tidemill.amqp;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemill.support.AmqpBroker;
import io.tidemill.support.ForeignProgram;
import io.tidemill.support.RabbitMq;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RabbitMqPublisherIT extends AmqpPublisherContract {
  @Override
  AmqpBroker broker() {
    return RabbitMq.shared();
  }

  @Test
  void aBrokerWithoutMemoryIsAClearErrorInTime() throws Exception {
    var rabbit = RabbitMq.shared();
    try (var stranger = new ForeignProgram(rabbit.port());
        var publisher = publisher(rabbit.config(rabbit.port(), Duration.ofSeconds(1)))) {
      var queue = stranger.queue("blocked");
      await().ignoreExceptions().untilAsserted(() -> publisher.publish(message(queue, "before")));

      rabbit.control("set_vm_memory_high_watermark", "0.00001");
      try {
        await()
            .untilAsserted(() ->
                assertThatThrownBy(() -> publisher.publish(message(queue, "during")))
                    .isInstanceOf(AmqpException.class)
                    .hasMessageContaining("takes no messages at the moment"));
      } finally {
        rabbit.control("set_vm_memory_high_watermark", "absolute", "512MB");
      }

      await().ignoreExceptions().untilAsserted(() -> publisher.publish(message(queue, "after")));
    }
  }
}

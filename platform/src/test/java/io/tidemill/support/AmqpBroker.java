package io.tidemill.support;

import io.tidemill.amqp.AmqpConfig;
import java.time.Duration;

/// A real broker in a process of its own, which can be killed like one and keeps its messages.
public interface AmqpBroker {
  int port();

  /// SIGKILL, and waits until it is gone.
  void kill();

  /// Starts it again where it was.
  void restart();

  /// How to reach it through some port, its own or a proxy's.
  default AmqpConfig config(int port) {
    return config(port, Duration.ofSeconds(30));
  }

  default AmqpConfig config(int port, Duration publishTimeout) {
    return new AmqpConfig("amqp://guest:guest@127.0.0.1:" + port, "guest", "guest", publishTimeout);
  }

  default AmqpConfig config() {
    return config(port());
  }
}

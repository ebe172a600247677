package io.tidemill.kafka;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// How to reach Kafka, read from keys `kafka.*`.
@Section("kafka")
public record KafkaConfig(
    @Setting(value = "", doc = "Kafka brokers as host:port,host:port; empty = a local server.")
        String bootstrap,
    @Setting(value = "1", doc = "Copies of each topic that is made here.") int replication) {
  public KafkaConfig {
    if (replication < 1) {
      throw new IllegalArgumentException(
          "kafka.replication is " + replication + ": expected at least 1");
    }
  }

  /// The same with the address of a server that was started here.
  public KafkaConfig withBootstrap(String address) {
    return new KafkaConfig(address, replication);
  }
}

package io.tidemill.app;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// The local servers, read from keys `servers.*`. A port that is taken gives way to a free one.
@Section("servers")
public record ServersConfig(
    @Setting(value = "9092", key = "kafka.port", doc = "Port of the local Kafka; 0 = any free one.")
        int kafkaPort,
    @Setting(value = "6379", key = "redis.port", doc = "Port of the local Redis; 0 = any free one.")
        int redisPort,
    @Setting(
            value = "256mb",
            key = "redis.max-memory",
            doc = "Memory that the local Redis may use for data, in its own notation.")
        String redisMaxMemory,
    @Setting(
            value = "5672",
            key = "amqp.port",
            doc = "Port of the local AMQP broker; 0 = any free one.")
        int amqpPort,
    @Setting(value = "9000", key = "s3.port", doc = "Port of the local S3; 0 = any free one.")
        int s3Port) {
  public ServersConfig {
    check("servers.kafka.port", kafkaPort);
    check("servers.redis.port", redisPort);
    check("servers.amqp.port", amqpPort);
    check("servers.s3.port", s3Port);
    if (!redisMaxMemory.matches("(?i)[1-9][0-9]*(k|kb|m|mb|g|gb)?")) {
      throw new IllegalArgumentException(
          "servers.redis.max-memory is " + redisMaxMemory + ": expected a size such as 256mb");
    }
  }

  private static void check(String key, int port) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(key + " is " + port + ": expected 0 to 65535");
    }
  }
}

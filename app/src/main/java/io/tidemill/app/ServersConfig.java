package io.tidemill.app;

import io.tidemill.app.wiring.Endpoints;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// The local servers, read from keys `servers.*`. A default port that is taken gives way to a free
/// one; one that the settings name does not.
@Section("servers")
public record ServersConfig(
    @Setting(
            value = "9092",
            key = "kafka.port",
            doc =
                "Port of the local Kafka; 0 = any free one. The default, if taken, gives way to a free one.")
        int kafkaPort,
    @Setting(
            value = "6379",
            key = "redis.port",
            doc =
                "Port of the local Redis; 0 = any free one. The default, if taken, gives way to a free one.")
        int redisPort,
    @Setting(
            value = "256mb",
            key = "redis.max-memory",
            doc = "Memory that the local Redis may use for data, in its own notation.")
        String redisMaxMemory,
    @Setting(
            value = "5672",
            key = "amqp.port",
            doc =
                "Port of the local AMQP broker; 0 = any free one. The default, if taken, gives way to a free one.")
        int amqpPort,
    @Setting(
            value = "9000",
            key = "s3.port",
            doc =
                "Port of the local S3; 0 = any free one. The default, if taken, gives way to a free one.")
        int s3Port) {
  private static final String KAFKA = "servers.kafka.port";
  private static final String REDIS = "servers.redis.port";
  private static final String AMQP = "servers.amqp.port";
  private static final String S3 = "servers.s3.port";

  public ServersConfig {
    all(kafkaPort, redisPort, amqpPort, s3Port).forEach(ServersConfig::check);
    refuseTwice(all(kafkaPort, redisPort, amqpPort, s3Port));
    if (!redisMaxMemory.matches("(?i)[1-9][0-9]*(k|kb|m|mb|g|gb)?")) {
      throw new IllegalArgumentException(
          "servers.redis.max-memory is " + redisMaxMemory + ": expected a size such as 256mb");
    }
  }

  /// The ports of the servers that are started, by key.
  Map<String, Integer> ports(Endpoints configured) {
    var ports = all(kafkaPort, redisPort, amqpPort, s3Port);
    if (!configured.kafka().bootstrap().isEmpty()) ports.remove(KAFKA);
    if (!configured.redis().url().isEmpty()) ports.remove(REDIS);
    if (!configured.amqp().url().isEmpty()) ports.remove(AMQP);
    if (!configured.s3().endpoint().isEmpty()) ports.remove(S3);
    return ports;
  }

  private static Map<String, Integer> all(int kafka, int redis, int amqp, int s3) {
    var ports = new LinkedHashMap<String, Integer>();
    ports.put(KAFKA, kafka);
    ports.put(REDIS, redis);
    ports.put(AMQP, amqp);
    ports.put(S3, s3);
    return ports;
  }

  private static void refuseTwice(Map<String, Integer> ports) {
    var owners = new HashMap<Integer, String>();
    ports.forEach((key, port) -> {
      var owner = port == 0 ? null : owners.putIfAbsent(port, key);
      if (owner != null) {
        throw new IllegalArgumentException(
            "%s is %d: expected another port than %s has".formatted(key, port, owner));
      }
    });
  }

  private static void check(String key, int port) {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException(key + " is " + port + ": expected 0 to 65535");
    }
  }
}

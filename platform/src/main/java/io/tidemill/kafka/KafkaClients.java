package io.tidemill.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Clients that look at a cluster and change nothing.
public final class KafkaClients {
  private static final int RECONNECT_MILLIS = 1_000;

  private KafkaClients() {}

  /// @param more settings beyond those that all have
  public static Admin admin(KafkaConfig config, Duration limit, Map<String, Object> more) {
    var settings = common(config, limit);
    settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) limit.toMillis());
    settings.putAll(more);
    return Admin.create(settings);
  }

  /// One that the broker knows by this name; no other client of the process may have it.
  public static Admin admin(KafkaConfig config, Duration limit, String name) {
    return admin(config, limit, Map.of(AdminClientConfig.CLIENT_ID_CONFIG, name));
  }

  /// A consumer of no group.
  ///
  /// @param limit how long a question may take
  /// @param more settings beyond those that all have
  public static KafkaConsumer<byte[], byte[]> consumer(
      KafkaConfig config, Duration limit, Map<String, Object> more) {
    var settings = common(config, limit);
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // What retention has removed can't be read: the rest is.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.putAll(more);
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  private static Map<String, Object> common(KafkaConfig config, Duration limit) {
    var settings = new HashMap<String, Object>();
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, config.bootstrap());
    settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) limit.toMillis());
    settings.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_MILLIS);
    settings.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
    settings.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return settings;
  }
}

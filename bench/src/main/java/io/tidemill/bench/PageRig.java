package io.tidemill.bench;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.collector.CollectorConfig;
import io.tidemill.config.Settings;
import io.tidemill.crawler.CrawlerRole;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.provision.ContractProvisioner;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.S3Config;
import io.tidemill.search.SearchConfig;
import io.tidemill.servers.AmqpServer;
import io.tidemill.servers.KafkaServer;
import io.tidemill.servers.LocalServer;
import io.tidemill.servers.LocalServers;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import io.tidemill.sql.AnalyticsConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Local servers for the roles that handle pages, and the settings to reach them.
final class PageRig implements AutoCloseable {
  private static final List<Class<? extends Record>> SECTIONS =
      Stream.concat(
              CrawlerRole.Config.SECTIONS.stream(),
              Stream.of(
                  RedisConfig.class,
                  KafkaConfig.class,
                  AmqpConfig.class,
                  S3Config.class,
                  IndexerConfig.class,
                  CollectorConfig.class,
                  AnalyticsConfig.class,
                  SearchConfig.class,
                  HttpConfig.class,
                  ApiConfig.class,
                  ObserveConfig.class))
          .toList();
  private static final String[] CHOSEN = {
    "crawler.", "fetch.", "indexer.", "collector.", "analytics.", "search.", "redis.connections"
  };

  private final List<LocalServer> servers = new ArrayList<>();
  private final Map<String, String> values;
  private final AmqpServer amqp;

  private PageRig(Path data, Map<String, String> chosen) {
    amqp = new AmqpServer(data.resolve("amqp"), 0, "guest", "guest");
    servers.add(amqp);
    values = BenchSettings.chosen(chosen, CHOSEN);
    values.put("http.port", "0");
  }

  /// With an AMQP broker alone.
  static PageRig queues(Path data, Map<String, String> chosen) {
    var rig = new PageRig(data, chosen);
    rig.start();
    return rig;
  }

  /// With all servers of a collector.
  static PageRig collecting(Path data, Map<String, String> chosen) {
    var rig = new PageRig(data, chosen);
    rig.addStores(data);
    return rig;
  }

  /// With all servers of a crawler.
  static PageRig whole(Path data, Map<String, String> chosen) throws InterruptedException {
    var rig = new PageRig(data, chosen);
    var kafka = new KafkaServer(data.resolve("kafka"), 0);
    rig.servers.add(kafka);
    rig.addStores(data);
    rig.values.put("kafka.bootstrap", kafka.address());
    ContractProvisioner.create(rig.settings().section(KafkaConfig.class));
    return rig;
  }

  private void addStores(Path data) {
    var redis = new RedisServer(data.resolve("redis"), 0, "1gb", "everysec");
    var s3 = new S3Server(data.resolve("s3"), 0, "tidemill", "tidemill-secret");
    servers.addAll(List.of(redis, s3));
    start();
    values.put("redis.url", redis.address());
    values.put("s3.endpoint", s3.address());
  }

  private void start() {
    LocalServers.startAll(servers);
    values.put("amqp.url", amqp.address());
    ContractProvisioner.create(settings().section(AmqpConfig.class));
  }

  Settings settings() {
    return settings(Map.of());
  }

  /// @param defaults for keys that the user did not set
  Settings settings(Map<String, String> defaults) {
    var all = new HashMap<>(defaults);
    all.putAll(values);
    return BenchSettings.load(all, SECTIONS);
  }

  String amqpAddress() {
    return amqp.address();
  }

  @Override
  public void close() {
    LocalServers.closeAll(servers);
  }
}

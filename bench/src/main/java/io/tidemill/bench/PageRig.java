package io.tidemill.bench;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.Topology;
import io.tidemill.collector.CollectorConfig;
import io.tidemill.config.Settings;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.page.PageNames;
import io.tidemill.crawl.UrlConfig;
import io.tidemill.crawler.CrawlerConfig;
import io.tidemill.crawler.document.DocumentConfig;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.observe.ObserveConfig;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Servers of their own for the roles that have to do with pages, and the settings to reach them.
final class PageRig implements AutoCloseable {
  private static final List<Class<? extends Record>> SECTIONS =
      List.of(
          RedisConfig.class,
          KafkaConfig.class,
          AmqpConfig.class,
          S3Config.class,
          CrawlerConfig.class,
          FetchConfig.class,
          UrlConfig.class,
          ScopeConfig.class,
          TrapConfig.class,
          DocumentConfig.class,
          IndexerConfig.class,
          CollectorConfig.class,
          AnalyticsConfig.class,
          SearchConfig.class,
          HttpConfig.class,
          ApiConfig.class,
          ObserveConfig.class);
  private static final List<String> CHOSEN =
      List.of(
          "crawler.",
          "fetch.",
          "indexer.",
          "collector.",
          "analytics.",
          "search.",
          "redis.connections");

  private final List<LocalServer> servers = new ArrayList<>();
  private final Map<String, String> values = new HashMap<>();
  private final AmqpServer amqp;

  private PageRig(Path data, Map<String, String> chosen) {
    amqp = new AmqpServer(data.resolve("amqp"), 0, "guest", "guest");
    servers.add(amqp);
    values.put("http.port", "0");
    chosen.forEach((key, value) -> {
      if (CHOSEN.stream().anyMatch(key::startsWith)) values.put(key, value);
    });
  }

  /// With an AMQP broker alone.
  static PageRig queues(Path data, Map<String, String> chosen) {
    var rig = new PageRig(data, chosen);
    rig.start();
    return rig;
  }

  /// With everything that a collector talks to.
  static PageRig collecting(Path data, Map<String, String> chosen) {
    var rig = new PageRig(data, chosen);
    var redis = new RedisServer(data.resolve("redis"), 0, "1gb", "everysec");
    var s3 = new S3Server(data.resolve("s3"), 0, "tidemill", "tidemill-secret");
    rig.servers.addAll(List.of(redis, s3));
    rig.start();
    rig.values.put("redis.url", redis.address());
    rig.values.put("s3.endpoint", s3.address());
    return rig;
  }

  /// With everything that a crawler talks to.
  static PageRig whole(Path data, Map<String, String> chosen) throws InterruptedException {
    var rig = new PageRig(data, chosen);
    var redis = new RedisServer(data.resolve("redis"), 0, "1gb", "everysec");
    var kafka = new KafkaServer(data.resolve("kafka"), 0);
    var s3 = new S3Server(data.resolve("s3"), 0, "tidemill", "tidemill-secret");
    rig.servers.addAll(List.of(redis, kafka, s3));
    rig.start();
    rig.values.put("redis.url", redis.address());
    rig.values.put("kafka.bootstrap", kafka.address());
    rig.values.put("s3.endpoint", s3.address());
    rig.provision();
    return rig;
  }

  private void start() {
    LocalServers.startAll(servers);
    values.put("amqp.url", amqp.address());
    try (var topology = new Topology(settings().section(AmqpConfig.class))) {
      topology.provision(
          Stream.of(PageNames.QUEUE, PageNames.GONE, PageNames.DEAD)
              .map(Topology.Queue::new)
              .toList(),
          List.of(
              new Topology.Bound(
                  CollectedNames.EXCHANGE, CollectedNames.QUEUE, CollectedNames.ROUTING_KEY)));
    }
  }

  private void provision() throws InterruptedException {
    try (var topics = new TopicProvisioner(settings().section(KafkaConfig.class))) {
      topics.provision(
          Stream.of(CrawlNames.REQUESTS, CrawlNames.RESPONSES)
              .map(name -> new TopicProvisioner.Wanted(name, 3, Duration.ofDays(1)))
              .toList());
    }
  }

  Settings settings() {
    return settings(Map.of());
  }

  /// @param defaults for what nobody chose otherwise
  Settings settings(Map<String, String> defaults) {
    var all = new HashMap<>(defaults);
    all.putAll(values);
    return Settings.load(null, Map.of(), all, SECTIONS);
  }

  String amqpAddress() {
    return amqp.address();
  }

  @Override
  public void close() {
    LocalServers.closeAll(servers);
  }
}

package io.tidemill.collector;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.MessageProperties;
import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.ItemFilter;
import io.tidemill.analytics.ProjectOverview;
import io.tidemill.analytics.ProjectStore;
import io.tidemill.collector.CollectorMain.Death;
import io.tidemill.config.ByteSize;
import io.tidemill.contract.collected.CollectedCodec;
import io.tidemill.contract.collected.CollectedEvent;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.json.Json;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.support.BrokerJ;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.ForeignProgram;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Servers and batches for collectors that are killed.
final class CollectorRig implements AutoCloseable {
  static final String BUCKET = "crawl-results";
  static final int GOOD = 47;
  static final int FAILED = 3;

  final String project = "proj-" + UUID.randomUUID();
  private final Path folder;
  private final RedisServer redis;
  private S3Server s3;
  private final ObjectStore blobs;

  CollectorRig(Path folder) throws Exception {
    this.folder = folder;
    redis = new RedisServer(folder.resolve("redis"), 0, "64mb", "everysec");
    redis.start();
    s3 = new S3Server(folder.resolve("s3"), 0, "key", "secret");
    s3.start();
    blobs = new ObjectStore(new S3Config(s3.address(), "key", "secret"));
    blobs.createBucketIfMissing(BUCKET);
    try (var stranger = new ForeignProgram(BrokerJ.shared().port())) {
      var channel = stranger.channel();
      stranger.queue(CollectedNames.QUEUE);
      stranger.queue(CollectedNames.DEAD);
      channel.exchangeDeclare(CollectedNames.EXCHANGE, "topic", true);
      channel.queueBind(CollectedNames.QUEUE, CollectedNames.EXCHANGE, CollectedNames.ROUTING_KEY);
    }
  }

  ChildJvm collector(Death death) {
    return collector(death, "-Xmx128m");
  }

  ChildJvm collector(Death death, String heap) {
    var options = List.of("-XX:TieredStopAtLevel=1", heap, "--enable-native-access=ALL-UNNAMED");
    return new ChildJvm(
        options,
        CollectorMain.class,
        String.valueOf(BrokerJ.shared().port()),
        redis.address(),
        s3.address(),
        folder.resolve("analytics").toString(),
        death.name());
  }

  void storeGoesAway() {
    s3.close();
  }

  void storeComesBack() {
    s3 = new S3Server(folder.resolve("s3"), URI.create(s3.address()).getPort(), "key", "secret");
    s3.start();
  }

  /// Stores bytes as a batch.
  String put(String name, Path file) throws IOException {
    blobs.put(BUCKET, name, file, "application/json", Map.of());
    return BUCKET + "/" + name;
  }

  /// Stores a batch of 50 items, three of which are no good.
  String batch(int number) {
    var items = Json.object().putArray("items");
    for (var n = 0; n < GOOD; n++) {
      var item = items.addObject();
      item.putObject("meta").put("id", number + "-" + n).put("platform", "TIKTOK");
      item.putObject("content").put("text", "What a fine day number %d of %d".formatted(n, number));
    }
    for (var n = 1; n < FAILED; n++) {
      items.addObject().putObject("meta").put("id", "e" + n).put("fetch_status", "error");
    }
    items.add(7);
    var key = "tiktok/%s/batch_%03d.json".formatted(project, number);
    blobs.put(BUCKET, key, Json.text(items).getBytes(UTF_8), "application/json", Map.of());
    return BUCKET + "/" + key;
  }

  /// An event that announces it; each call makes another event of the same batch.
  byte[] event(int number, String path) {
    return CollectedCodec.encode(
        new CollectedEvent(
            "evt_" + UUID.randomUUID(),
            Instant.parse("2026-01-04T01:09:27Z"),
            project,
            "job",
            "tiktok",
            path,
            GOOD + FAILED,
            number));
  }

  static void publish(ForeignProgram stranger, byte[] event) throws IOException {
    send(stranger, event);
    stranger.confirm();
  }

  static void send(ForeignProgram stranger, byte[] event) throws IOException {
    stranger
        .channel()
        .basicPublish(
            CollectedNames.EXCHANGE,
            CollectedNames.ROUTING_KEY,
            MessageProperties.PERSISTENT_BASIC,
            event);
  }

  /// What the database holds; no collector may have it open.
  Optional<ProjectOverview> overview() {
    var config = new AnalyticsConfig("", ByteSize.ofMib(128), 2);
    try (var analytics =
        new Analytics(config, folder.resolve("analytics"), InstantSource.system())) {
      return analytics
          .projects()
          .overview(
              project, ItemFilter.ALL, new ProjectStore.Shape(ProjectStore.Interval.DAY, 0, 0));
    }
  }

  @Override
  public void close() {
    blobs.close();
    s3.close();
    redis.close();
  }
}

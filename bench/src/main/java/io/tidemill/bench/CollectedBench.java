package io.tidemill.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.ItemFilter;
import io.tidemill.analytics.ProjectStore;
import io.tidemill.bench.BenchReport.Line;
import io.tidemill.collector.CollectorConfig;
import io.tidemill.collector.CollectorRole;
import io.tidemill.config.Settings;
import io.tidemill.contract.collected.CollectedCodec;
import io.tidemill.contract.collected.CollectedEvent;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.json.Json;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.duckdb.DuckDBConnection;

/// Items a second from `data.collected` to the analytics database, beside a loop that only loads
/// the same objects and inserts their texts.
final class CollectedBench implements AutoCloseable {
  private static final int ITEMS = 50;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path folder;
  private final Settings settings;
  private final ObjectStore blobs;
  private final Redis redis;
  private final AmqpPublisher publisher;
  private final int batches;
  private int round;

  /// @param batches of 50 items each
  CollectedBench(Path folder, PageRig rig, int batches) {
    this.folder = folder;
    this.batches = batches;
    settings = rig.settings();
    blobs = new ObjectStore(settings.section(S3Config.class));
    redis = new Redis(settings.section(RedisConfig.class));
    publisher = new AmqpPublisher(settings.section(AmqpConfig.class), new SimpleMeterRegistry());
    blobs.createBucketIfMissing(CollectedNames.BUCKET);
    var prose = new ProseGenerator(7);
    for (var batch = 0; batch < batches; batch++) {
      blobs.put(
          CollectedNames.BUCKET, key(batch), items(prose, batch), "application/json", Map.of());
    }
  }

  private static String key(int batch) {
    return "tiktok/bench/batch_%03d.json".formatted(batch);
  }

  private static byte[] items(ProseGenerator prose, int batch) {
    var items = Json.object().putArray("items");
    for (var n = 0; n < ITEMS; n++) {
      var item = items.addObject();
      item.putObject("meta").put("id", batch + "-" + n).put("platform", "TIKTOK");
      item.putObject("content").put("text", prose.paragraph(240));
      item.putObject("interaction").put("views", n * 100).put("likes", n).put("shares", n / 7);
    }
    return Json.text(items).getBytes(UTF_8);
  }

  /// One round of both.
  Line line() throws IOException, InterruptedException {
    round++;
    var count = batches * ITEMS;
    var bare = Throughput.of(count, this::bare);
    var ours = Throughput.of(count, this::collect);
    return new Line(
        "collected items/s",
        ours.perSecond(),
        bare.perSecond(),
        "load, parse, insert; no queue, no analysis");
  }

  private void collect() throws IOException, InterruptedException {
    var clock = InstantSource.system();
    var config = settings.section(AnalyticsConfig.class);
    for (var batch = 0; batch < batches; batch++) announce(batch, clock);
    try (var analytics = new Analytics(config, folder.resolve("ours" + round), clock)) {
      var role =
          new CollectorRole(
              settings.section(CollectorConfig.class),
              new CollectorRole.Servers(
                  redis, settings.section(AmqpConfig.class), settings.section(S3Config.class)),
              analytics,
              new Traces(ObserveConfig.standard()),
              new SimpleMeterRegistry(),
              clock);
      role.start();
      try {
        await(analytics.projects());
      } finally {
        role.stop();
      }
    }
  }

  private void announce(int batch, InstantSource clock) {
    var event =
        new CollectedEvent(
            "evt_" + round + "-" + batch,
            clock.instant(),
            "bench",
            "job",
            "tiktok",
            CollectedNames.BUCKET + "/" + key(batch),
            ITEMS,
            batch);
    publisher.publish(
        new OutgoingMessage(
            CollectedNames.EXCHANGE,
            CollectedNames.ROUTING_KEY,
            CollectedCodec.encode(event),
            Map.of(),
            null,
            "application/json",
            null));
  }

  private void await(ProjectStore projects) throws IOException, InterruptedException {
    var shape = new ProjectStore.Shape(ProjectStore.Interval.DAY, 0, 0);
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      var found = projects.overview("bench", ItemFilter.ALL, shape);
      if (found.isPresent() && found.get().totals().batches() == batches) return;
      Thread.sleep(20);
    }
    throw new IOException("the collector gets no further");
  }

  // One transaction a batch, as ours.
  private void bare() throws IOException {
    var file = folder.resolve("bare" + round + ".duckdb");
    try (var database = (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + file);
        var statement = database.createStatement()) {
      statement.execute(
          "CREATE TABLE items (id VARCHAR PRIMARY KEY, platform VARCHAR, body VARCHAR, views BIGINT, likes BIGINT)");
      database.setAutoCommit(false);
      for (var batch = 0; batch < batches; batch++) {
        try (var bytes = blobs.open(CollectedNames.BUCKET, key(batch));
            var rows = database.createAppender("items")) {
          for (var item : Json.parse(bytes.readAllBytes())) {
            rows.beginRow()
                .append(item.at("/meta/id").asString())
                .append(item.at("/meta/platform").asString())
                .append(item.at("/content/text").asString())
                .append(item.at("/interaction/views").asLong())
                .append(item.at("/interaction/likes").asLong())
                .endRow();
          }
        }
        database.commit();
      }
    } catch (SQLException failed) {
      throw new IOException("DuckDB: " + failed.getMessage(), failed);
    }
  }

  @Override
  public void close() {
    publisher.close();
    redis.close();
    blobs.close();
  }
}

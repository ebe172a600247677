package io.tidemill.processor.input;

import static io.tidemill.processor.input.InputSourcesTest.object;
import static io.tidemill.processor.input.InputSourcesTest.read;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.analytics.Analytics;
import io.tidemill.api.WorkFailure;
import io.tidemill.config.ByteSize;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlRequest;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import io.tidemill.sql.AnalyticsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Protocol.Command;

/// Objects, crawls and stored records as inputs, with the real servers.
class SourcesIT {
  private static final String BUCKET = "crawl-results";
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-04T01:09:27.123Z"));

  @TempDir static Path folder;
  private static RedisServer redisServer;
  private static S3Server s3;
  private static Redis redis;
  private static ObjectStore blobs;
  private static Analytics analytics;
  private static InputSources inputs;

  @BeforeAll
  static void start() {
    redisServer = new RedisServer(folder.resolve("redis"), 0, "256mb", "everysec");
    redisServer.start();
    s3 = new S3Server(folder.resolve("s3"), 0, "key", "secret");
    s3.start();
    redis =
        new Redis(
            new RedisConfig("redis://127.0.0.1:" + redisServer.port(), 2, Duration.ofSeconds(2)));
    blobs = new ObjectStore(new S3Config(s3.address(), "key", "secret"));
    blobs.createBucketIfMissing(BUCKET);
    analytics = new Analytics(new AnalyticsConfig("", ByteSize.ofMib(128), 2), folder, CLOCK);
    inputs = inputs(blobs);
  }

  private static InputSources inputs(ObjectStore blobs) {
    var crawls = new CrawlStore(redis, Duration.ofHours(1), CLOCK);
    return new InputSources(
        Map.of(
            "object", new ObjectSource(blobs, List.of(BUCKET)),
            "crawl", new CrawlInputSource(crawls, blobs, BUCKET),
            "analytics", new AnalyticsSource(analytics)));
  }

  @AfterAll
  static void stop() {
    analytics.close();
    blobs.close();
    s3.close();
    redis.close();
    redisServer.close();
  }

  @Test
  void readsAnObject() throws Exception {
    put("some/list.json", "[{\"a\":1},{\"a\":2}]");

    var records = inputs.of(object("{\"object\":\"s3://crawl-results/some/list.json\"}"));

    assertThat(read(records)).hasSize(2).isEqualTo(read(records));
  }

  @Test
  void saysWhatIsWrongWithAnObject() {
    failure("{\"object\":\"s3://crawl-results/none\"}", "OBJECT_NOT_FOUND", false)
        .hasMessage("there is no object s3://crawl-results/none");
    failure("{\"object\":\"s3://secrets/a\"}", "INVALID_INPUT", false)
        .hasMessage(
            "object is in a bucket that inputs may not come from: allowed are crawl-results");
    failure("{\"object\":\"s3://crawl-results/../secrets/a\"}", "INVALID_INPUT", false)
        .hasMessage("object is not the address of an object: the key is not a plain path");
    failure("{\"object\":{}}", "INVALID_INPUT", false).hasMessage("object must be a text");
  }

  @Test
  void anObjectThatVanishesIsMissedWhenItIsRead() throws Exception {
    put("brief", "{}");
    var records = inputs.of(object("{\"object\":\"s3://crawl-results/brief\"}"));
    blobs.delete(BUCKET, "brief");

    assertThatThrownBy(records::open)
        .satisfies(gone -> assertFailure((Exception) gone, "OBJECT_NOT_FOUND", false));
  }

  @Test
  void brokenContentIsNotTriedAgain() throws Exception {
    put("broken", "{\"a\":1}\nnonsense");
    var records = inputs.of(object("{\"object\":\"s3://crawl-results/broken\"}"));

    assertThatThrownBy(() -> read(records))
        .satisfies(bad -> assertFailure((Exception) bad, "INVALID_RECORDS", false))
        .hasMessageContaining("line 2");
  }

  @Test
  void aStoreThatIsDownIsTriedAgain() {
    try (var nobody = new ObjectStore(new S3Config("http://127.0.0.1:1", "key", "secret"))) {
      var lost = inputs(nobody);
      assertThatThrownBy(() -> lost.of(object("{\"object\":\"s3://crawl-results/a\"}")))
          .satisfies(down -> assertFailure((Exception) down, "STORE_UNAVAILABLE", true));
      assertThatThrownBy(() -> lost.of(object("{\"crawl\":\"abc\"}")))
          .satisfies(down -> assertFailure((Exception) down, "STORE_UNAVAILABLE", true));
    }
  }

  @Test
  void readsThePagesOfACrawlInTheirOrder() throws Exception {
    for (var number : List.of(999, 0, 1000, 1)) {
      put("web/shop/c1/batch_%03d.json".formatted(number), "[" + item("p" + number) + "]");
    }
    redis.call(Command.HSET, CrawlNames.crawl("c1"), "option:project", "shop");

    var pages = read(inputs.of(object("{\"crawl\":\"c1\"}")));

    assertThat(pages)
        .extracting(page -> page.path("title").asString())
        .containsExactly("p0", "p1", "p999", "p1000");
    assertThat(pages.getFirst())
        .isEqualTo(
            Json.parse(
                """
                {"url":"https://a.example/p0","title":"p0","text":"text of p0","language":null,
                 "site":"a.example","fetchedAt":"2026-01-04T01:09:27.123Z","publishedAt":null,
                 "contentHash":"hash"}
                """));
  }

  @Test
  void aCrawlThatIsForgottenIsFoundWithItsProject() throws Exception {
    put("web/old/c2/batch_000.json", "[" + item("p") + "]");

    assertThat(read(inputs.of(object("{\"crawl\":\"c2\",\"project\":\"old\"}")))).hasSize(1);
    failure("{\"crawl\":\"c2\"}", "CRAWL_NOT_FOUND", false).hasMessage("there is no crawl c2");
    failure("{\"crawl\":\"c2\",\"project\":\"../old\"}", "INVALID_INPUT", false)
        .hasMessage("project must be letters, digits, - and _");
    failure("{\"crawl\":\"../c2\"}", "INVALID_INPUT", false)
        .hasMessage("crawl is not the id of a crawl");
  }

  @Test
  void aCrawlIsReadWhenAllItsPagesAreKept() throws Exception {
    redis.call(Command.HSET, CrawlNames.crawl("c3"), "email", "a@example.org");
    redis.call(Command.RPUSH, CrawlNames.crawl("c3") + ":items", item("p"));
    failure("{\"crawl\":\"c3\"}", "CRAWL_NOT_FINISHED", true)
        .hasMessage("crawl c3 has not finished yet");

    redis.call(Command.DEL, CrawlNames.crawl("c3") + ":items");
    assertThat(read(inputs.of(object("{\"crawl\":\"c3\"}")))).isEmpty();
  }

  @Test
  void aCrawlThatRunsIsTriedAgain() {
    var crawls = new CrawlStore(redis, Duration.ofHours(1), CLOCK);
    var at = CLOCK.instant().toString();
    crawls.create(
        new CrawlRequest("c4", "a@example.org", at, "https://a.example/", CrawlOptions.SINGLE),
        null,
        Duration.ofHours(1));

    failure("{\"crawl\":\"c4\"}", "CRAWL_NOT_FINISHED", true)
        .hasMessage("crawl c4 has not finished yet");
  }

  @Test
  void readsWhatAStepStored() throws Exception {
    var rows = List.of("{\"a\":1}", "{\"a\":2}").iterator();
    analytics.store(
        "wf-1-2",
        new io.tidemill.sql.JsonRows() {
          @Override
          public @org.jspecify.annotations.Nullable String next() {
            return rows.hasNext() ? rows.next() : null;
          }

          @Override
          public void close() {}
        });

    assertThat(read(inputs.of(object("{\"analytics\":{\"source\":\"wf-1-2\"}}")))).hasSize(2);
    failure("{\"analytics\":{\"source\":\"wf-1-3\"}}", "SOURCE_NOT_FOUND", false)
        .hasMessage("nothing was stored for analysis as wf-1-3");
    failure("{\"analytics\":{}}", "INVALID_INPUT", false)
        .hasMessage("analytics.source must be a text");
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable> failure(
      String input, String code, boolean isRetryable) {
    return assertThatThrownBy(() -> inputs.of(object(input)))
        .satisfies(it -> assertFailure((Exception) it, code, isRetryable));
  }

  private static void assertFailure(Exception failed, String code, boolean isRetryable) {
    WorkFailure failure = RecordFailures.of(failed);
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.isRetryable()).isEqualTo(isRetryable);
  }

  private static String item(String title) {
    return """
    {"meta":{"id":"hash","platform":"WEB","published_at":null,"permalink":"https://a.example/%1$s",
    "fetched_at":"2026-01-04T01:09:27.123Z"},"content":{"title":"%1$s","text":"text of %1$s"},
    "author":{"id":"a.example","name":"a.example"}}
    """
        .formatted(title);
  }

  private static void put(String key, String text) {
    blobs.put(BUCKET, key, text.getBytes(UTF_8), "application/json", Map.of());
  }
}

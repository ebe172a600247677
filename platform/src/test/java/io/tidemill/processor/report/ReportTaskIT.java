package io.tidemill.processor.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.CollectedBatch;
import io.tidemill.analytics.CollectedItem;
import io.tidemill.analytics.ItemFailure;
import io.tidemill.api.RecordReader;
import io.tidemill.api.TaskCall;
import io.tidemill.api.WorkFailure;
import io.tidemill.config.ByteSize;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.UrlRules;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.http.BasePath;
import io.tidemill.http.PublicUrl;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.query.PageSearch;
import io.tidemill.servers.RedisServer;
import io.tidemill.servers.S3Server;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.text.PDFTextStripper;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Protocol.Command;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class ReportTaskIT {
  private static final Instant AT = Instant.parse("2026-01-04T01:10:00Z");
  private static final InstantSource CLOCK = InstantSource.fixed(AT);
  private static final SearchConfig SEARCH =
      new SearchConfig(
          "", Duration.ofSeconds(20), 100, 10_000, Duration.ZERO, 2, Duration.ofHours(24), 0.3);
  private static final String EMAIL = "ann@example.org";

  @TempDir static Path folder;
  private static S3Server s3;
  private static RedisServer redisServer;
  private static Redis redis;
  private static ObjectStore blobs;
  private static PageSearch pages;
  private static Analytics analytics;
  private static ReportTask task;

  @BeforeAll
  static void start() {
    s3 = new S3Server(folder.resolve("s3"), 0, "key", "secret");
    s3.start();
    redisServer = new RedisServer(folder.resolve("redis"), 0, "256mb", "everysec");
    redisServer.start();
    redis = new Redis(new RedisConfig(redisServer.address(), 1, Duration.ofSeconds(5)));
    blobs = new ObjectStore(new S3Config(s3.address(), "key", "secret"));
    analytics = new Analytics(new AnalyticsConfig("", ByteSize.ofMib(128), 1), folder, CLOCK);
    fillIndex();
    fillCrawl();
    fillProject();
    pages = new PageSearch(folder.resolve("index"), SEARCH, CLOCK);
    task = task(blobs);
  }

  private static ReportTask task(ObjectStore blobs) {
    var crawls =
        new CrawlReportData(
            new CrawlStore(redis, Duration.ofHours(1), CLOCK),
            pages,
            new UrlNormaliser(UrlRules.standard()));
    var shelf =
        new ReportStore(blobs, "files", new PublicUrl("https://there.example", BasePath.ROOT));
    return new ReportTask(
        shelf,
        crawls,
        input -> () -> new Rows(new ArrayList<>(List.of(input, input))),
        analytics.projects(),
        CLOCK);
  }

  private record Rows(List<JsonNode> left) implements RecordReader {
    @Override
    public @Nullable JsonNode next() {
      return left.isEmpty() ? null : left.removeFirst();
    }

    @Override
    public void close() {}
  }

  private static void fillProject() {
    var batch =
        new CollectedBatch(
            "k", "e", "event", "evt", "proj", "job", "tiktok", 0, "b", "p", 2, CLOCK.instant());
    try (var writer = analytics.batches().begin(batch)) {
      writer.add(
          new CollectedItem(
              "proj",
              "tiktok",
              "744",
              0,
              "https://t.example/744",
              "",
              "<b>Great</b> car",
              new CollectedItem.Author("a", "Ann", 10, true),
              new CollectedItem.Reactions(1_000, 20, 3, 2, 1),
              new CollectedItem.Findings(
                  "en", 0.6, List.of(new CollectedItem.Keyword("great car", 1.0)), 42, 0),
              null));
      writer.fail(
          new ItemFailure("proj", "tiktok", 1, "", "", "CONTENT_REMOVED", "content", "gone"));
      writer.commit();
    }
  }

  private static void fillIndex() {
    try (var index = new LuceneIndex(folder.resolve("index"), SEARCH, CLOCK)) {
      var changes = new ArrayList<PageChange>();
      for (int i = 0; i < 20; i++) {
        changes.add(
            new PageChange.Put(
                new PageDocument(
                    "https://www.example.org/" + i,
                    "Page " + i,
                    "",
                    "The tide mill grinds with water number " + i,
                    "",
                    i % 4 == 0 ? "de" : "en",
                    i % 5 == 0 ? "application/pdf" : "text/html",
                    200,
                    AT.minusSeconds(60 - i),
                    null,
                    "crawl-1",
                    "hash" + i,
                    "message" + i)));
      }
      index.apply(changes);
    }
  }

  private static void fillCrawl() {
    var entity =
        Json.object()
            .put("id", "crawl-1")
            .put("url", "https://www.example.org/")
            .put("email", EMAIL)
            .put("status", "completed")
            .put("createdAt", "2026-01-04T01:00:00Z");
    redis.call(Command.HSET, CrawlNames.crawls(EMAIL), "crawl-1", Json.text(entity));
    redis.call(
        Command.HSET,
        CrawlNames.crawl("crawl-1"),
        "email",
        EMAIL,
        "fetched",
        "20",
        "failed",
        "1",
        "bytes",
        "123456",
        "started",
        String.valueOf(AT.minusSeconds(60).toEpochMilli()),
        "ended",
        String.valueOf(AT.toEpochMilli()));
    for (int i = 0; i < 20; i++) {
      line(
          Json.object()
              .put("url", "https://www.example.org/" + i)
              .put("outcome", "fetched")
              .put("status", 200)
              .put("title", "Page " + i)
              .put("bytes", 1_000 * i)
              .put("depth", i % 3));
    }
    line(
        Json.object()
            .put("url", "https://www.example.org/gone")
            .put("outcome", "failed")
            .put("status", 404)
            .put("reason", "the page is not there"));
  }

  private static void line(ObjectNode line) {
    redis.call(Command.RPUSH, CrawlNames.crawl("crawl-1") + ":pages", Json.text(line));
  }

  @AfterAll
  static void stop() {
    pages.close();
    analytics.close();
    blobs.close();
    redis.close();
    redisServer.close();
    s3.close();
  }

  @Test
  void aCrawlsReportLiesInTheObjectStore() throws Exception { // C2.9
    var result = run("task-1", "{\"report\":\"crawl\",\"crawl\":\"crawl-1\"}");

    assertThat(result.path("html").asString()).isEqualTo("s3://files/reports/task-1.html");
    assertThat(result.path("pdf").asString()).isEqualTo("s3://files/reports/task-1.pdf");
    assertThat(result.path("pdfUrl").asString())
        .isEqualTo("https://there.example/api/tasks/task-1/files/task-1.pdf");
    assertThat(result.path("pages").asInt()).isBetween(1, 4);
    assertThat(blobs.head("files", "reports/task-1.html").orElseThrow().contentType())
        .startsWith("text/html");
    assertThat(Jsoup.parse(new String(load("reports/task-1.html"), StandardCharsets.UTF_8)).text())
        .contains("Crawl of www.example.org")
        .contains("20 Pages fetched")
        .contains("application/pdf")
        .contains("Pages over time")
        .contains("grinds")
        .contains("the page is not there");
    try (var document = Loader.loadPDF(load("reports/task-1.pdf"))) {
      assertThat(document.getNumberOfPages()).isEqualTo(result.path("pages").asInt());
      assertThat(new PDFTextStripper().getText(document)).contains("the page is not there");
    }
  }

  @Test
  void aRepeatedTaskReplacesItsReport() throws Exception {
    run("task-2", "{\"records\":[{\"a\":1}],\"title\":\"First\"}");
    run("task-2", "{\"records\":[{\"a\":1}],\"title\":\"Second\"}");

    assertThat(new String(load("reports/task-2.html"), StandardCharsets.UTF_8))
        .contains("Second")
        .doesNotContain("First<");
    assertThat(blobs.list("files", "reports/task-2")).hasSize(2);
  }

  @Test
  void withoutACrawlItIsOfTheWholeIndex() throws Exception {
    run("task-3", "{\"report\":\"crawl\",\"email\":\"ann@example.org\",\"title\":\"All\"}");

    assertThat(Jsoup.parse(new String(load("reports/task-3.html"), StandardCharsets.UTF_8)).text())
        .contains("20 Pages in the index")
        .contains("example.org")
        .contains("Newest crawls")
        .contains("Page 19");
  }

  @Test
  void recordsMayComeFromElsewhere() throws Exception {
    run("task-4", "{\"report\":\"analytics\",\"input\":{\"amount\":5},\"period\":\"January\"}");

    assertThat(Jsoup.parse(new String(load("reports/task-4.html"), StandardCharsets.UTF_8)).text())
        .contains("2 Records")
        .contains("January")
        .contains("amount");
  }

  @Test
  void aProjectsReportShowsWhatWasCollected() throws Exception { // C5.8
    run("task-5", "{\"report\":\"analytics\",\"project\":\"proj\"}");

    assertThat(Jsoup.parse(new String(load("reports/task-5.html"), StandardCharsets.UTF_8)).text())
        .contains("Project proj", "1 Items", "1 Failed", "tiktok", "great car", "CONTENT_REMOVED")
        .contains("<b>Great</b> car");
  }

  @Test
  void aStrangeIdStaysInItsFolder() throws Exception {
    var result = run("../../x y", "{\"records\":[]}");

    assertThat(result.path("html").asString()).matches("s3://files/reports/~[0-9a-f]{64}\\.html");
    assertThat(result.path("htmlUrl").asString())
        .matches(".*/api/tasks/\\.\\.%2F\\.\\.%2Fx%20y/files/%7E[0-9a-f]{64}\\.html");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"crawl\":\"none\"}|CRAWL_NOT_FOUND",
        "{\"project\":\"none\"}|PROJECT_NOT_FOUND",
        "{\"report\":\"weather\"}|INVALID_DATA",
        "{\"report\":\"records\"}|INVALID_DATA",
        "{\"crawl\":7}|INVALID_DATA",
        "{\"email\":\"a\\nb\"}|INVALID_DATA",
        "{\"records\":[],\"charts\":[{\"type\":\"pie\",\"x\":\"a\"}]}|INVALID_DATA",
        "{\"records\":[],\"charts\":[{}]}|INVALID_DATA",
        "{\"records\":[],\"charts\":[7]}|INVALID_DATA",
        "{\"records\":[],\"charts\":[{\"x\":\"a\",\"z\":1}]}|INVALID_DATA",
        "{\"records\":[],\"titel\":\"a\"}|INVALID_DATA",
      })
  void saysWhatIsWrong(String data, String code) {
    var failure = catchThrowableOfType(WorkFailure.class, () -> run("task-x", data));

    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.isRetryable()).isFalse();
  }

  @Test
  void recordsThatAreNoListAreNotCalledMissing() {
    var failure =
        catchThrowableOfType(WorkFailure.class, () -> run("task-x", "{\"records\":\"x\"}"));

    assertThat(failure).hasMessage("records must be a list of objects");
  }

  @Test
  void aStoreThatIsNotThereIsForLater() throws IOException {
    int port;
    try (var free = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (var none = new ObjectStore(new S3Config("http://127.0.0.1:" + port, "key", "secret"))) {
      var call = new Call("t", (ObjectNode) Json.parse("{\"records\":[]}"));
      var failure = catchThrowableOfType(WorkFailure.class, () -> task(none).run(call));

      assertThat(failure.isRetryable()).isTrue();
    }
  }

  private static ObjectNode run(String id, String data) throws Exception {
    return task.run(new Call(id, (ObjectNode) Json.parse(data)));
  }

  private static byte[] load(String key) throws IOException {
    try (var blob = blobs.open("files", key)) {
      return blob.readAllBytes();
    }
  }

  private record Call(String id, ObjectNode data) implements TaskCall {
    @Override
    public int retryCount() {
      return 0;
    }

    @Override
    public Instant createdAt() {
      return AT;
    }

    @Override
    public void progress(double fraction, String message) {}
  }
}

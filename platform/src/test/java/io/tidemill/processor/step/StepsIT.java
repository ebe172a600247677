package io.tidemill.processor.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.ParquetFiles;
import io.tidemill.api.Step;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.config.ByteSize;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.UrlRules;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.http.PublicUrl;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.observe.Metrics;
import io.tidemill.processor.export.ExportConfig;
import io.tidemill.processor.export.RecordExporter;
import io.tidemill.processor.input.CrawlInputSource;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.TestSite;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/// Steps that talk to servers, with the real ones.
class StepsIT {
  private static final InstantSource CLOCK = InstantSource.system();

  @TempDir static Path folder;
  private static CrawlPlatform platform;
  private static TestSite site;
  private static Redis redis;
  private static ObjectStore blobs;
  private static AmqpPublisher amqp;
  private static io.tidemill.kafka.KafkaPublisher kafka;
  private static Analytics analytics;
  private static CrawlStore crawls;
  private static Metrics metrics;
  private static StepRegistry steps;

  @BeforeAll
  static void start() {
    platform = CrawlPlatform.whole();
    site = TestSite.start();
    site.page("/", "<title>Start</title><body>The first page. <a href=/two>two</a></body>");
    site.page("/two", "<title>Two</title><body>The second page is about herons.</body>");
    metrics = new Metrics();
    redis = new Redis(platform.section(RedisConfig.class));
    blobs = new ObjectStore(platform.section(S3Config.class));
    amqp = new AmqpPublisher(platform.section(AmqpConfig.class), metrics.registry());
    kafka = new io.tidemill.kafka.KafkaPublisher(platform.section(KafkaConfig.class), "steps");
    var database = new AnalyticsConfig("", ByteSize.ofMib(128), 1);
    analytics = new Analytics(database, folder, CLOCK);
    crawls = new CrawlStore(redis, Duration.ofHours(1), CLOCK);
    steps =
        StepRegistry.of(
            BuiltInSteps.of(
                new BuiltInSteps.Tools(
                    new CrawlStarter(crawls, kafka, Duration.ofSeconds(15), Long.MAX_VALUE, CLOCK),
                    crawls,
                    new CrawlInputSource(crawls, blobs, "crawl-results"),
                    amqp,
                    new RecordExporter(
                        blobs,
                        new ExportConfig("exports"),
                        new ParquetFiles(database, folder.resolve("spill")),
                        PublicUrl.UNKNOWN,
                        folder.resolve("scratch")),
                    analytics,
                    blobs,
                    "workflow-rejects",
                    new UrlNormaliser(UrlRules.standard()),
                    new LanguageDetector(),
                    folder.resolve("scratch"),
                    new StepsConfig("workflow@localhost", 10),
                    CLOCK)));
  }

  @AfterAll
  static void stop() {
    analytics.close();
    kafka.close();
    amqp.close();
    blobs.close();
    redis.close();
    metrics.close();
    site.close();
    platform.close();
  }

  private static Step step(String name) {
    return steps.named(name).orElseThrow();
  }

  private static StepOutcome.Done finished(MemoryCall call) throws Exception {
    var outcome = new StepOutcome[] {step("crawl").run(call)};
    await()
        .pollInterval(Duration.ofMillis(100))
        .until(() -> {
          if (outcome[0] instanceof StepOutcome.Waiting(var state, var _)) {
            outcome[0] = step("crawl").run(call.with(state));
          }
          return outcome[0] instanceof StepOutcome.Done;
        });
    return (StepOutcome.Done) outcome[0];
  }

  @Test
  void crawlsAndGivesThePagesOn() throws Exception { // C2.8
    var options = "{\"url\":\"%s\",\"maxPages\":5}".formatted(site.url("/"));

    var done = finished(MemoryCall.of(options).in("wf-crawl"));
    var pages = MemoryCall.texts(done.output());

    assertThat(done.counts()).isEqualTo(new Counts(2, 2, 0));
    assertThat(done.result().get("crawlsCompleted").asInt()).isEqualTo(1);
    assertThat(pages).hasSize(2).anyMatch(page -> page.contains("herons"));
  }

  @Test
  void aRepeatStartsNoSecondCrawl() throws Exception {
    site.page("/once", "<title>Once</title><body>Only once.</body>");
    var options = "{\"urls\":[\"%s\"],\"email\":\"me@example.org\"}".formatted(site.url("/once"));

    var first = (StepOutcome.Waiting) step("crawl").run(MemoryCall.of(options).in("wf-once"));
    var again = (StepOutcome.Waiting) step("crawl").run(MemoryCall.of(options).in("wf-once"));
    finished(MemoryCall.of(options).in("wf-once"));

    assertThat(again.state()).isEqualTo(first.state());
    assertThat(first.after()).isEqualTo(Duration.ofSeconds(1));
    assertThat(site.log("/once")).hasSize(1);
  }

  @Test
  void aCancelBeforeAnythingIsWrittenDownStillEndsItsCrawls() throws Exception { // C2.4
    var go = new CountDownLatch(1);
    site.on("/held", (_, reply) -> TestSite.await(go));
    var call = MemoryCall.of("{\"url\":\"%s\"}".formatted(site.url("/held"))).in("wf-undone");
    var begun = (StepOutcome.Waiting) step("crawl").run(call);

    step("crawl").canceled(call.with(null));
    go.countDown();

    var crawl = begun.state().at("/crawls/0");
    var key = new CrawlKey(crawl.get("email").stringValue(), crawl.get("id").stringValue());
    assertThat(crawls.find(key).orElseThrow().status()).isEqualTo(CrawlStatus.CANCELED);
  }

  @Test
  void tellsHowManyCrawlsItStarted() throws Exception {
    site.page("/told", "<title>Told</title><body>Told.</body>");
    var one = MemoryCall.of("{\"url\":\"%s\"}".formatted(site.url("/told"))).in("wf-one");
    var two =
        MemoryCall.of("{\"urls\":[\"%1$s\",\"%1$s?b\"]}".formatted(site.url("/told"))).in("wf-two");

    finished(one);
    finished(two);

    assertThat(one.told()).startsWith("1 crawl started");
    assertThat(two.told()).startsWith("2 crawls started");
  }

  @Test
  void failsWhenNoCrawlSucceeds() {
    var options = "{\"url\":\"http://127.0.0.1:1/\"}";

    assertThatThrownBy(() -> finished(MemoryCall.of(options).in("wf-fail")))
        .hasStackTraceContaining("no crawl succeeded");
  }

  @Test
  void saysWhatIsWrongWithACrawl() {
    for (var options :
        List.of("{}", "{\"url\":\"ftp://x\"}", "{\"url\":\"http://x.org\",\"maxPages\":0}")) {
      assertThatThrownBy(() -> step("crawl").run(MemoryCall.of(options).in("wf-bad")))
          .isInstanceOfSatisfying(
              WorkFailure.class, it -> assertThat(it.code()).isEqualTo("INVALID_OPTIONS"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          validate  | {"maxInvalid":-1}                  | validate: option maxInvalid must be
          transform | {"derive":{"a":"$sum("}}           | transform: derive.a is not an expression
          transform | {"onError":"stop"}                 | transform: option onError is 'stop'
          store     | {"to":"tape"}                      | store: option to is 'tape'
          store     | {"format":"docx"}                  | store: option format must be
          store     | {"object":"s3://other/x"}          | allowed is exports
          store     | {"to":"analytics","table":"a b"}   | store: option table must be
          crawl     | {"urls":[]}                        | crawl: option urls is empty
          crawl     | {"url":"ftp://x"}                  | for ftp://x
          index     | {"into":"pages"}                   | index: option into is not known
          analyze   | {"top":51}                         | analyze: option top must be
          """)
  void refusesOptionsBeforeItRuns(String name, String options, String why) { // C2.8
    assertThatThrownBy(() -> step(name).check((ObjectNode) Json.parse(options)))
        .isInstanceOfSatisfying(WorkFailure.class, it -> assertThat(it.isRetryable()).isFalse())
        .hasMessageContaining(why);
  }

  @Test
  void aCrawlMayTakeItsUrlsFromRecords() throws Exception {
    step("crawl").check(Json.object().put("maxPages", 3));
  }

  @Test
  void indexesRecordsAsPages() throws Exception { // C4.1
    var call =
        MemoryCall.of(
            "{}",
            "{\"url\":\"https://example.org/a?b=1#top\",\"title\":\"Otters\",\"text\":\"Otters swim.\"}",
            "{\"url\":\"https://example.org/b\"}",
            "{\"text\":\"no url\"}",
            "{\"url\":\"https://example.org/c\",\"content\":\"More otters.\",\"language\":\"en\"}");

    var done = call.done(step("index"));

    assertThat(done.counts()).isEqualTo(new Counts(4, 2, 2));
    assertThat(done.result().at("/failed/0/reasons/0").asString()).isEqualTo("text is missing");
    assertThat(done.result().at("/failed/1/reasons/0").asString()).isEqualTo("url is missing");
    platform.awaitFound("otters", 2);
  }

  @Test
  void storesRecordsAsAnObject() throws Exception {
    var call =
        MemoryCall.of("{\"object\":\"s3://exports/mine/list.csv\"}", "{\"a\":1}", "{\"a\":\"=x\"}");

    var done = call.done(step("store"));

    assertThat(done.counts()).isEqualTo(Counts.all(2));
    assertThat(done.result().get("object").asString()).isEqualTo("s3://exports/mine/list.csv");
    assertThat(done.result().get("format").asString()).isEqualTo("csv");
    assertThat(done.result().get("recordsStored").asInt()).isEqualTo(2);
    assertThat(blobs.head("exports", "mine/list.csv")).isPresent();
    assertThat(MemoryCall.texts(done.output())).hasSize(2);
    assertThatThrownBy(
            () -> MemoryCall.of("{\"object\":\"s3://other/x\"}", "{}").done(step("store")))
        .isInstanceOfSatisfying(
            WorkFailure.class, it -> assertThat(it.code()).isEqualTo("INVALID_OPTIONS"))
        .hasMessageContaining("allowed is exports");
  }

  @Test
  void storesRecordsAsRows() throws Exception {
    var options = "{\"to\":\"analytics\",\"table\":\"prices\"}";

    MemoryCall.of(options, "{\"a\":1}", "{\"a\":2}", "{\"a\":3}").done(step("store"));
    var done = MemoryCall.of(options, "{\"a\":4}").done(step("store"));

    assertThat(done.counts()).isEqualTo(Counts.all(1));
    assertThat(Json.text(done.result()))
        .isEqualTo("{\"recordsStored\":1,\"table\":\"prices\",\"bytes\":7}");
    try (var rows = analytics.records("prices")) {
      assertThat(rows.next()).isEqualTo("{\"a\":4}");
      assertThat(rows.next()).isNull();
    }
  }

  @Test
  void anyWorkflowHasATableOfItsOwn() throws Exception { // F53
    var call = MemoryCall.of("{\"to\":\"analytics\"}", "{\"a\":\"€\"}").in("order:42");

    var result = call.done(step("store")).result();

    var table = result.get("table").asString();
    assertThat(table).matches("~[0-9a-f]{64}");
    assertThat(result.get("bytes").asInt()).isEqualTo(11);
    assertThat(analytics.isKnown(table)).isTrue();
    assertThatThrownBy(() ->
            MemoryCall.of("{\"to\":\"analytics\",\"table\":\"order:42\"}").done(step("store")))
        .hasMessageStartingWith("store: option table must be");
  }

  @Test
  void keepsInvalidRecordsInTheObjectStore() throws Exception {
    var done = MemoryCall.many("{}", 150, i -> Json.tree(i)).in("wf-bad").done(step("validate"));

    assertThat(done.result().get("invalidObject").asString())
        .isEqualTo("s3://workflow-rejects/rejects/wf-bad-0-invalid.ndjson");
    assertThat(blobs.head("workflow-rejects", "rejects/wf-bad-0-invalid.ndjson")).isPresent();
  }
}

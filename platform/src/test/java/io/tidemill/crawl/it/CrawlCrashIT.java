package io.tidemill.crawl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.support.ChildJvm;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.TestSite;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Crawlers and indexers as processes that are killed or put to sleep in the middle (C1.2, C4.3,
/// C4.6, F05, F24, F36, F37).
class CrawlCrashIT {
  private static final int PAGES = 60;
  private static final String SITE = "\"maxPages\":100";
  private static CrawlPlatform platform;
  private static PlainClients strangers;
  private final List<ChildJvm> children = new ArrayList<>();
  private TestSite site;

  @BeforeAll
  static void start() throws Exception {
    platform =
        CrawlPlatform.servers(
            "crawler.lease=1s", "crawler.session-timeout=1s", "crawler.max-attempts=50");
    platform.gateway();
    strangers = new PlainClients(platform);
  }

  @AfterAll
  static void stop() {
    strangers.close();
    platform.close();
  }

  @BeforeEach
  void open() {
    site = TestSite.start();
  }

  @AfterEach
  void close() {
    children.forEach(ChildJvm::close);
    site.close();
  }

  /// A site whose first page leads to all others; each takes a while, as real ones do.
  private void site(String word, Duration slowness) {
    var links = new StringBuilder();
    for (int i = 1; i < PAGES; i++) links.append("<a href=/").append(i).append(">on</a> ");
    site.on(
        "/*",
        (request, reply) -> {
          LockSupport.parkNanos(slowness.toNanos());
          var rest = request.path().equals("/") ? links.toString() : "";
          reply.send(
              200,
              Map.of("Content-Type", "text/html"),
              "<title>" + word + "</title><p>" + word + " " + request.path() + "</p>" + rest);
        });
    site.answer("/robots.txt", 404, Map.of(), new byte[0]);
  }

  private ChildJvm crawler(String... settings) {
    var child = platform.crawlerProcess(settings);
    children.add(child);
    return child;
  }

  @Test
  void aDryRunOutlivesItsCrawlerAndLeavesNothingBehind() throws Exception { // C1.2, C4.3
    var channel = strangers.amqp();
    // What the crawls of other tests left there.
    for (var queue : List.of("crawler_queue", "crawler_queue.gone", "analytics.data.collected")) {
      channel.queuePurge(queue);
    }
    site("rehearsal", Duration.ofMillis(300));
    var doomed = crawler();
    doomed.awaitReady();
    var id = platform.crawl(site.url("/"), SITE, "\"dryRun\":true");
    awaitAsked(1);

    doomed.kill();
    crawler().awaitReady();
    var crawl = platform.awaitEnd(id);

    assertThat(crawl.get("status").stringValue()).isEqualTo("completed");
    assertThat(crawl.at("/result/preview/page/title").asString("")).isEqualTo("rehearsal");
    assertThat(crawl.at("/result/preview/links/followed").intValue()).isEqualTo(PAGES - 1);
    assertThat(crawl.at("/result/preview/estimate/pages").intValue()).isEqualTo(PAGES);
    assertThat(strangers.records("crawl-responses", id)).hasSize(1);
    assertThat(asked()).extracting(TestSite.Access::path).containsOnly("/");
    assertThat(channel.messageCount("crawler_queue")).isZero();
    assertThat(channel.messageCount("crawler_queue.gone")).isZero();
    // The new crawler may announce batches that killed ones of other tests left behind.
    for (var got = channel.basicGet("analytics.data.collected", true);
        got != null;
        got = channel.basicGet("analytics.data.collected", true)) {
      assertThat(new String(got.getBody(), UTF_8)).doesNotContain(id);
    }
    try (var redis = new Resp(URI.create(platform.redis().address()).getPort())) {
      for (var key : List.of("crawled:", "page:")) {
        assertThat((List<?>) redis.call("KEYS", key + site.url("/") + "*")).isEmpty();
      }
      assertThat(redis.call("EXISTS", "crawl:" + id + ":items")).isEqualTo(0L);
    }
  }

  private List<TestSite.Access> asked() {
    return site.log().stream().filter(access -> !access.path().equals("/robots.txt")).toList();
  }

  private void awaitAsked(int count) {
    await().pollInterval(Duration.ofMillis(5)).until(() -> asked().size() >= count);
  }

  private List<String> askedBy(String product) {
    return asked().stream()
        .filter(access -> access.header("User-Agent").startsWith(product))
        .map(TestSite.Access::path)
        .toList();
  }

  private Map<String, Long> times() {
    return asked().stream()
        .collect(Collectors.groupingBy(TestSite.Access::path, TreeMap::new, Collectors.counting()));
  }

  /// Pages that the crawl has ended with so far.
  private Set<String> done(String id) {
    return platform.pages(id).stream()
        .map(page -> page.get("url").stringValue())
        .collect(Collectors.toSet());
  }

  private void checkWhole(JsonNode crawl, String word) {
    assertThat(crawl.get("status").stringValue()).isEqualTo("completed");
    assertThat(crawl.at("/progress/fetched").intValue()).isEqualTo(PAGES);
    assertThat(crawl.at("/progress/found").intValue()).isEqualTo(PAGES);
    assertThat(crawl.at("/result/fetched").intValue()).isEqualTo(PAGES);
    assertThat(done(crawl.get("id").stringValue())).hasSize(PAGES);
    assertThat(times().keySet()).hasSize(PAGES);
    assertThat(strangers.records("crawl-responses", crawl.get("id").stringValue())).hasSize(1);
    platform.awaitFound(word, PAGES);
  }

  @Test
  void twoCrawlersTogetherKeepToTheHostsPace() { // F51
    var indexer = platform.indexer();
    site("pacemaker", Duration.ZERO);
    var pace = Duration.ofMillis(50);
    paced("One/1").awaitReady();
    paced("Two/1").awaitReady();

    var began = System.nanoTime();
    var crawl = platform.crawled(site.url("/"), SITE);

    checkWhole(crawl, "pacemaker");
    assertThat(times().values()).allMatch(count -> count == 1);
    assertThat(asked()).extracting(access -> access.header("User-Agent")).anyMatch(is("One"));
    assertThat(asked()).extracting(access -> access.header("User-Agent")).anyMatch(is("Two"));
    var gaps = gaps();
    var whole = Duration.ofNanos(gaps.stream().mapToLong(Duration::toNanos).sum());
    assertThat(whole.dividedBy(gaps.size())).isGreaterThan(pace.multipliedBy(9).dividedBy(10));
    // Whatever is delayed on its way comes later, never earlier than its turn.
    var at = asked().stream().map(TestSite.Access::nanoTime).sorted().toList();
    for (int i = 1; i < at.size(); i++) {
      assertThat(Duration.ofNanos(at.get(i) - began))
          .isGreaterThan(pace.multipliedBy(i).multipliedBy(9).dividedBy(10));
    }
    // The pace is kept where pages are handed out; a busy machine may delay one on its way.
    assertThat(gaps)
        .filteredOn(gap -> gap.compareTo(pace.dividedBy(2)) < 0)
        .hasSizeLessThanOrEqualTo(PAGES / 3);
    platform.stop(indexer);
  }

  private ChildJvm paced(String agent) {
    return crawler("crawler.default-delay=50ms", "crawler.lease=30s", "fetch.user-agent=" + agent);
  }

  private static java.util.function.Predicate<String> is(String product) {
    return agent -> agent.startsWith(product);
  }

  private List<Duration> gaps() {
    var at = asked().stream().map(TestSite.Access::nanoTime).sorted().toList();
    var gaps = new ArrayList<Duration>();
    for (int i = 1; i < at.size(); i++) gaps.add(Duration.ofNanos(at.get(i) - at.get(i - 1)));
    return gaps;
  }

  @Test
  void anotherGoesOnWhenACrawlerIsKilled() { // C4.3, F36
    var indexer = platform.indexer();
    site("survivor", Duration.ofMillis(50));
    var doomed = crawler("fetch.user-agent=Doomed/1");
    // One page at a time, so that the other one surely has some.
    crawler("fetch.user-agent=Survivor/1", "crawler.lease=30s", "crawler.fetchers=1").awaitReady();
    doomed.awaitReady();
    var id = platform.crawl(site.url("/"), SITE);
    awaitAsked(PAGES / 3);
    await().until(() -> !askedBy("Doomed").isEmpty());

    doomed.kill();

    checkWhole(platform.awaitEnd(id), "survivor");
    // Only what the dead one had in its hands is asked for twice.
    assertThat(times().values()).allMatch(count -> count <= 2);
    assertThat(askedBy("Survivor")).doesNotHaveDuplicates();
    assertThat(askedBy("Doomed")).isNotEmpty().doesNotHaveDuplicates();
    platform.stop(indexer);
  }

  @Test
  void aCrawlerThatSleptBeyondItsLeaseCountsNothingTwice() throws Exception { // F24
    var indexer = platform.indexer();
    site("sleeper", Duration.ofMillis(50));
    var sleeper = crawler();
    var other = crawler();
    sleeper.awaitReady();
    other.awaitReady();
    var id = platform.crawl(site.url("/"), SITE);
    awaitAsked(PAGES / 3);

    sleeper.signal("STOP");
    platform.awaitEnd(id);
    sleeper.signal("CONT");
    other.kill();
    // It is awake when it has done something else.
    site.page("/after", "<title>later</title>");
    platform.crawled(site.url("/after"));

    site.on("/after", (_, reply) -> reply.close());
    assertThat(platform.get("/api/crawls/" + id).at("/progress/fetched").intValue())
        .isEqualTo(PAGES);
    assertThat(done(id)).hasSize(PAGES);
    assertThat(strangers.records("crawl-responses", id)).hasSize(1);
    platform.awaitFound("sleeper", PAGES);
    platform.stop(indexer);
  }

  @Test
  void everyPageIsIndexedThoughTheIndexerIsKilled() { // C4.6, F37
    site("drowned", Duration.ZERO);
    var doomed = platform.indexerProcess("indexer.batch=3", "indexer.linger=20ms");
    children.add(doomed);
    doomed.awaitReady();
    crawler().awaitReady();
    var id = platform.crawl(site.url("/"), SITE);
    await()
        .pollInterval(Duration.ofMillis(5))
        .ignoreExceptions()
        .until(() -> platform.search("drowned").path("total").asInt(0) > 5);

    doomed.kill();
    var indexer = platform.indexer();

    checkWhole(platform.awaitEnd(id), "drowned");
    platform.stop(indexer);
  }

  @Test
  void pagesWaitForABrokerThatIsDown() { // F35: not the page's fault
    site("anchored", Duration.ZERO);
    var indexer = platform.indexer();
    var crawler = platform.crawler("crawler.max-attempts=2", "amqp.publish-timeout=100ms");
    platform.amqp().close();
    try {
      var id = platform.crawl(site.url("/"), SITE);
      awaitAsked(4); // the first page, more often than it may fail

      platform.amqp().start();

      checkWhole(platform.awaitEnd(id), "anchored");
    } finally {
      platform.stop(crawler);
      platform.stop(indexer);
    }
  }

  @Test
  void manyKillsInARowLoseNothingAndDoubleNothing() { // F36: also between publishing and noting
    var indexer = platform.indexer();
    site("phoenix", Duration.ofMillis(20));
    var next = crawler();
    next.awaitReady();
    var id = platform.crawl(site.url("/"), SITE);
    for (int i = 0; i < 5; i++) {
      var doomed = next;
      next = crawler();
      next.awaitReady();
      awaitAsked(Math.min(PAGES, asked().size() + 5));
      doomed.kill();
    }

    checkWhole(platform.awaitEnd(id), "phoenix");
    platform.stop(indexer);
  }
}

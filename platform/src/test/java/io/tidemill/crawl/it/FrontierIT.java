package io.tidemill.crawl.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlOrigin;
import io.tidemill.contract.crawl.CrawlScope;
import io.tidemill.crawl.CrawlState;
import io.tidemill.crawl.FailedPageStore;
import io.tidemill.crawl.Frontier;
import io.tidemill.crawl.Frontier.PolitenessPolicy;
import io.tidemill.crawl.Frontier.VisitReceipt;
import io.tidemill.crawl.FrontierInspector;
import io.tidemill.crawl.FrontierLink;
import io.tidemill.crawl.NewCrawl;
import io.tidemill.crawl.PageLease;
import io.tidemill.crawl.SeenPage;
import io.tidemill.crawl.VisitResult;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.servers.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Protocol.Command;

/// The frontier on a real Redis (C4.3, F36).
class FrontierIT {
  @TempDir static Path folder;
  private static RedisServer server;
  private static Redis redis;

  @BeforeAll
  static void start() {
    server = new RedisServer(folder, 0, "256mb", "everysec");
    server.start();
    redis =
        new Redis(new RedisConfig("redis://127.0.0.1:" + server.port(), 2, Duration.ofSeconds(2)));
  }

  @AfterEach
  void empty() {
    redis.call(Command.FLUSHALL);
  }

  @AfterAll
  static void stop() {
    redis.close();
    server.close();
  }

  private static Frontier frontier(Duration lease, Duration pause, int parallel) {
    return new Frontier(
        redis,
        new PolitenessPolicy(
            lease,
            pause,
            parallel,
            Duration.ofHours(1),
            Duration.ofHours(1),
            50,
            Duration.ofHours(1)));
  }

  private static Frontier eager() {
    return frontier(Duration.ofSeconds(30), Duration.ZERO, 100);
  }

  private static String begin(Frontier frontier, String host, int maxPages) {
    return begin(frontier, host, options(maxPages, 0, 0, false));
  }

  private static String begin(Frontier frontier, String host, CrawlOptions options) {
    var id = UUID.randomUUID().toString();
    assertThat(frontier.begin(crawl(id, page(host, "/", 0), options))).isEmpty();
    return id;
  }

  private static CrawlOptions options(int maxPages, long maxBytes, long maxSeconds, boolean again) {
    return new CrawlOptions(
        maxPages,
        10,
        List.of(),
        List.of(),
        CrawlScope.HOST,
        false,
        maxBytes,
        maxSeconds,
        again,
        "",
        false,
        -1);
  }

  private static NewCrawl crawl(String id, FrontierLink first, CrawlOptions options) {
    var origin = new CrawlOrigin(Map.of());
    return new NewCrawl(id, "a@example.org", first.address(), first, options, null, false, origin);
  }

  private static FrontierLink page(String host, String path, int depth) {
    return new FrontierLink(host, depth, "http://" + host + path, "http://" + host + path);
  }

  private static List<FrontierLink> pages(String host, int count) {
    return IntStream.range(0, count).mapToObj(n -> page(host, "/" + n, 1)).toList();
  }

  private static PageLease takeOne(Frontier frontier) {
    var taken = new ArrayList<PageLease>();
    await().until(() -> taken.addAll(frontier.take(1).visits()));
    return taken.getFirst();
  }

  private static String field(String id, String name) {
    var value = redis.call(Command.HGET, "crawl:" + id, name);
    return value == null ? "" : Redis.text(value);
  }

  private static String hostField(String host, String name) {
    return Redis.text(redis.call(Command.HGET, "frontier:host:" + host, name));
  }

  @Test
  void beginsACrawlOnce() {
    var frontier = eager();
    var id = begin(frontier, "a.test", 1);

    assertThat(frontier.begin(crawl(id, page("a.test", "/", 0), CrawlOptions.SINGLE)))
        .contains(CrawlState.RUNNING);

    assertThat(frontier.take(10).visits()).hasSize(1);
  }

  @Test
  void handsOutAPageToOneOnly() {
    var frontier = eager();
    begin(frontier, "a.test", 1);

    var first = frontier.take(10);
    var second = frontier.take(10);

    assertThat(first.visits())
        .singleElement()
        .satisfies(visit -> {
          assertThat(visit.address()).isEqualTo("http://a.test/");
          assertThat(visit.depth()).isZero();
        });
    assertThat(second.visits()).isEmpty();
  }

  @Test
  void endsACrawlWhoseLastPageIsDone() {
    var frontier = eager();
    var id = begin(frontier, "a.test", 1);

    assertThat(frontier.done(takeOne(frontier), VisitResult.fetched(7)))
        .isEqualTo(VisitReceipt.IDLE);

    assertThat(frontier.ending(10)).containsExactly(id);
    assertThat(frontier.ending(10)).as("somebody is at it").isEmpty();
    frontier.ended(id);
    assertThat(field(id, "state")).isEqualTo("ended");
    assertThat(field(id, "bytes")).isEqualTo("7");
  }

  @Test
  void followsEachLinkOnce() {
    var frontier = eager();
    var id = begin(frontier, "a.test", 100);
    var first = takeOne(frontier);
    frontier.govern("a.test", Duration.ZERO);

    frontier.done(first, VisitResult.fetched(1).withLinks(pages("a.test", 3)));
    var next = frontier.take(10).visits();
    for (var visit : next)
      frontier.done(visit, VisitResult.fetched(1).withLinks(pages("a.test", 3)));

    assertThat(next).hasSize(3);
    assertThat(field(id, "fetched")).isEqualTo("4");
    assertThat(field(id, "found")).isEqualTo("4");
    assertThat(field(id, "state")).isEqualTo("ending");
  }

  @Test
  void takesNoMorePagesThanAsked() {
    var frontier = eager();
    var id = begin(frontier, "a.test", 3);
    var first = takeOne(frontier);
    frontier.govern("a.test", Duration.ZERO);
    frontier.done(first, VisitResult.fetched(1).withLinks(pages("a.test", 10)));

    var two = frontier.take(10).visits();
    assertThat(two).hasSize(2);
    assertThat(frontier.done(two.get(0), VisitResult.failed("{}"))).isEqualTo(VisitReceipt.DONE);
    var another = takeOne(frontier); // the failed one made room
    frontier.done(two.get(1), VisitResult.fetched(1));
    frontier.done(another, VisitResult.fetched(1));

    await().until(() -> frontier.take(10).visits().isEmpty() && !frontier.ending(1).isEmpty());
    assertThat(field(id, "fetched")).isEqualTo("3");
    assertThat(field(id, "stopped_by")).isEqualTo("maxPages");
  }

  @Test
  void stopsWhenItsBytesAreSpent() {
    var frontier = eager();
    var id = begin(frontier, "a.test", options(100, 10, 0, false));
    var first = takeOne(frontier);
    frontier.govern("a.test", Duration.ZERO);

    frontier.done(first, VisitResult.fetched(11).withLinks(pages("a.test", 10)));

    assertThat(frontier.take(10).visits()).isEmpty();
    assertThat(frontier.ending(1)).containsExactly(id);
    assertThat(field(id, "stopped_by")).isEqualTo("maxBytes");
  }

  @Test
  void asksAHostOneAtATimeUntilItsWishesAreKnown() {
    var frontier = eager();
    var one = begin(frontier, "a.test", 1);
    var two = begin(frontier, "a.test", 1);
    assertThat(one).isNotEqualTo(two);

    assertThat(frontier.take(10).visits()).hasSize(1);
  }

  @Test
  void pausesBetweenTwoPagesOfAHost() {
    var frontier = frontier(Duration.ofSeconds(30), Duration.ofMillis(300), 10);
    begin(frontier, "a.test", 100);
    var started = System.nanoTime();
    var first = takeOne(frontier);
    frontier.govern("a.test", Duration.ofMillis(300));
    frontier.done(first, VisitResult.fetched(1).withLinks(pages("a.test", 3)));

    var next = takeOne(frontier);

    assertThat(next).isNotNull();
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(Duration.ofMillis(250));
  }

  @Test
  void letsCrawlsOfOneHostTakeTurns() {
    var frontier = frontier(Duration.ofSeconds(30), Duration.ofMillis(1), 10);
    var large = begin(frontier, "a.test", 100);
    var first = takeOne(frontier);
    frontier.govern("a.test", Duration.ofMillis(1));
    frontier.done(first, VisitResult.fetched(1).withLinks(pages("a.test", 50)));
    var small = UUID.randomUUID().toString();
    frontier.begin(crawl(small, page("a.test", "/small", 0), CrawlOptions.SINGLE));

    var crawls = List.of(takeOne(frontier).crawlId(), takeOne(frontier).crawlId());

    assertThat(crawls).contains(small).contains(large);
  }

  @Test
  void skipsWhatWasSeenAShortTimeAgo() { // C4.3
    var frontier = eager();
    begin(frontier, "a.test", 1);
    frontier.done(takeOne(frontier), VisitResult.fetched(1).withData("{\"text\":\"t\"}"));

    var again = begin(frontier, "a.test", 1);

    assertThat(frontier.take(10).visits()).isEmpty();
    assertThat(field(again, "skipped")).isEqualTo("1");
    assertThat(field(again, "state")).isEqualTo("ending");
    assertThat(field(again, "data")).isEqualTo("{\"text\":\"t\"}"); // C1.2
  }

  @Test
  void fetchesASinglePageWhoseContentIsNotKept() { // C1.2
    var frontier = eager();
    begin(frontier, "a.test", 5);
    frontier.done(takeOne(frontier), VisitResult.fetched(1));

    begin(frontier, "a.test", 1);

    assertThat(frontier.take(10).visits()).hasSize(1);
  }

  @Test
  void fetchesAgainWhenAskedTo() {
    var frontier = eager();
    begin(frontier, "a.test", 1);
    frontier.done(takeOne(frontier), VisitResult.fetched(1));

    begin(frontier, "a.test", options(1, 0, 0, true));

    assertThat(frontier.take(10).visits()).hasSize(1);
  }

  @Test
  void givesAFailedPageBack() { // C4.3: a failed fetch releases the claim
    var frontier = eager();
    begin(frontier, "a.test", 1);
    frontier.done(takeOne(frontier), VisitResult.failed("{}"));

    begin(frontier, "a.test", 1);

    assertThat(frontier.take(10).visits()).hasSize(1);
  }

  @Test
  void notesThePagesThatCouldNotBeHad() {
    var frontier = eager();
    var crawl = begin(frontier, "a.test", 1);
    var pages = new FailedPageStore(redis);
    var before = pages.count();

    frontier.done(takeOne(frontier), VisitResult.failed("{\"url\":\"http://a.test/\"}"));

    var newest = pages.newest(null, 1).getFirst();
    assertThat(pages.count()).isEqualTo(before + 1);
    assertThat(newest.crawlId()).isEqualTo(crawl);
    assertThat(newest.line()).isEqualTo("{\"url\":\"http://a.test/\"}");
    assertThat(pages.find(newest.id())).contains(newest);
  }

  @Test
  void waitsForAPageThatAnotherCrawlFetches() {
    var frontier = eager();
    frontier.govern("a.test", Duration.ZERO);
    begin(frontier, "a.test", 1);
    var held = takeOne(frontier);
    var other = begin(frontier, "a.test", 1);

    assertThat(frontier.take(10).visits()).isEmpty();
    frontier.done(held, VisitResult.failed("{}"));

    assertThat(takeOne(frontier).crawlId()).isEqualTo(other);
  }

  @Test
  void givesPagesOfADeadCrawlerToAnother() {
    var frontier = frontier(Duration.ofMillis(200), Duration.ZERO, 10);
    begin(frontier, "a.test", 1);
    var lost = takeOne(frontier);

    var again = takeOne(frontier);

    assertThat(again.address()).isEqualTo(lost.address());
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(frontier.renew(List.of(lost))).containsExactly(lost);
    assertThat(frontier.done(lost, VisitResult.fetched(1))).isEqualTo(VisitReceipt.FENCED);
    assertThat(frontier.done(again, VisitResult.fetched(1))).isEqualTo(VisitReceipt.IDLE);
  }

  @Test
  void keepsPagesOfALivingCrawler() {
    var frontier = frontier(Duration.ofMillis(400), Duration.ZERO, 10);
    begin(frontier, "a.test", 1);
    var held = takeOne(frontier);

    for (int i = 0; i < 8; i++) {
      await().pollDelay(Duration.ofMillis(100)).until(() -> true);
      assertThat(frontier.renew(List.of(held))).isEmpty();
      assertThat(frontier.take(10).visits()).isEmpty();
    }

    assertThat(frontier.done(held, VisitResult.fetched(1))).isEqualTo(VisitReceipt.IDLE);
  }

  @Test
  void triesAgainLaterAndLeavesTheHostAloneMeanwhile() {
    var frontier = eager();
    var id = begin(frontier, "a.test", 5);
    var first = takeOne(frontier);

    var started = System.nanoTime();
    frontier.done(first, VisitResult.retry(Duration.ofMillis(100), Duration.ofMillis(300)));
    var again = takeOne(frontier);

    assertThat(Duration.ofNanos(System.nanoTime() - started)).isGreaterThan(Duration.ofMillis(200));
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(field(id, "limited_until")).isNotEmpty();
  }

  @Test
  void obeysTheLongestPauseThatAHostAskedFor() {
    var frontier = eager();
    frontier.govern("a.test", Duration.ZERO);
    begin(frontier, "a.test", 5);
    frontier.done(takeOne(frontier), VisitResult.fetched(1).withLinks(pages("a.test", 2)));
    var two = frontier.take(2).visits();

    frontier.done(two.get(0), VisitResult.retry(Duration.ofMillis(1), Duration.ofHours(1)));
    var until = hostField("a.test", "until");
    frontier.done(two.get(1), VisitResult.retry(Duration.ofMillis(1), Duration.ofMillis(1)));

    assertThat(hostField("a.test", "until")).isEqualTo(until);
  }

  @Test
  void endsACrawlInTimeThoughItsHostWantsToBeLeftAlone() {
    var frontier = eager();
    var id = begin(frontier, "a.test", options(5, 0, 3, false));

    frontier.done(takeOne(frontier), VisitResult.retry(Duration.ofHours(1), Duration.ofHours(1)));

    await().until(() -> frontier.take(1).visits().isEmpty() && !frontier.ending(1).isEmpty());
    assertThat(field(id, "stopped_by")).isEqualTo("maxSeconds");
  }

  @Test
  void waitsForPagesUnderWayWhenTheTimeOfACrawlIsUp() {
    var frontier = eager();
    var id = begin(frontier, "a.test", options(5, 0, 3, false));
    var held = takeOne(frontier);

    await()
        .until(() -> {
          assertThat(frontier.take(1).visits()).isEmpty();
          return field(id, "max_pages").equals("1"); // its time is up
        });
    assertThat(field(id, "state")).isEqualTo("running");
    assertThat(frontier.done(held, VisitResult.fetched(1))).isEqualTo(VisitReceipt.IDLE);
  }

  @Test
  void countsNoAttemptWhenThePageWasNotToBlame() {
    var frontier = eager();
    begin(frontier, "a.test", 1);

    frontier.done(takeOne(frontier), VisitResult.later(Duration.ofMillis(1)));

    assertThat(takeOne(frontier).attempt()).isZero();
  }

  @Test
  void letsOneOfTwoVisitsHaveAThirdName() { // C4.4
    var frontier = eager();
    frontier.govern("a.test", Duration.ZERO);
    begin(frontier, "a.test", 9);
    frontier.done(takeOne(frontier), VisitResult.fetched(1).withLinks(pages("a.test", 2)));
    var two = frontier.take(2).visits();
    var name = "http://a.test/same";

    assertThat(frontier.claim(name, two.get(0), false)).isTrue();
    assertThat(frontier.claim(name, two.get(0), false)).as("after a crash").isTrue();
    assertThat(frontier.claim(name, two.get(1), false)).isFalse();
    frontier.done(two.get(0), VisitResult.failed("{}").withAliases(List.of(name)));
    assertThat(frontier.claim(name, two.get(1), false)).as("given back").isTrue();
  }

  @Test
  void bringsEveryPageExactlyOnceWhateverDies() {
    var frontier = frontier(Duration.ofMillis(150), Duration.ZERO, 50);
    var id = begin(frontier, "a.test", 1_000);
    frontier.govern("a.test", Duration.ZERO);
    var random = new java.util.Random(7);
    var done = new HashMap<String, Integer>();
    var linked = false;

    while (field(id, "state").equals("running")) {
      for (var visit : frontier.take(20).visits()) {
        if (random.nextInt(5) == 0) continue; // its crawler died
        var end = VisitResult.fetched(1);
        if (!linked) end = end.withLinks(pages("a.test", 300));
        if (frontier.done(visit, end) == VisitReceipt.FENCED) continue;
        linked = true;
        done.merge(visit.identity(), 1, Integer::sum);
      }
    }

    assertThat(done).hasSize(301);
    assertThat(done.values()).allMatch(times -> times == 1);
    assertThat(field(id, "fetched")).isEqualTo("301");
  }

  @Test
  void renewingAVisitLeavesWhatWasSeenAsItIs() { // C4.3
    var frontier = frontier(Duration.ofSeconds(5), Duration.ZERO, 10);
    var id = begin(frontier, "a.test", 10);
    frontier.govern("a.test", Duration.ZERO);
    var seen = new SeenPage("", "", "", "", List.of("http://a.test/next"));
    frontier.done(takeOne(frontier), VisitResult.fetched(1).remembering(seen));
    frontier.ended(id);
    begin(frontier, "a.test", 10);
    var visit = takeOne(frontier);
    assertThat(visit.isSeen()).isTrue();

    assertThat(frontier.renew(List.of(visit))).isEmpty();

    assertThat((Long) redis.call(Command.PTTL, "crawled:http://a.test/"))
        .isGreaterThan(Duration.ofMinutes(50).toMillis());
  }

  @Test
  void takesManyLinksOfOnePageInSteps() {
    var frontier = eager();
    var id = begin(frontier, "a.test", 100_000);
    var first = takeOne(frontier);

    assertThat(frontier.done(first, VisitResult.fetched(1).withLinks(pages("a.test", 5_000))))
        .isEqualTo(VisitReceipt.DONE);

    assertThat(field(id, "found")).isEqualTo("5001");
    assertThat(field(id, "open")).isEqualTo("5000");
  }

  @Test
  void showsWhichHostWaitsAndWhy() {
    var frontier = frontier(Duration.ofSeconds(30), Duration.ofSeconds(1), 4);
    var view = new FrontierInspector(redis, Duration.ofSeconds(1), 4);
    var id = begin(frontier, "a.test", 100);
    begin(frontier, "b.test", 100);
    var first = takeOne(frontier);
    var a = view.inspect(id, 10);
    assertThat(a.open()).isEqualTo(1);
    assertThat(a.hosts())
        .singleElement()
        .satisfies(host -> {
          assertThat(host.name()).isEqualTo("a.test");
          assertThat(host.running()).isEqualTo(first.host().equals("a.test") ? 1 : 0);
        });

    frontier.govern("c.test", Duration.ofSeconds(40));
    var third = begin(frontier, "c.test", 100);
    var visits = new ArrayList<PageLease>(List.of(first));
    await()
        .until(() -> {
          visits.addAll(frontier.take(10).visits());
          return visits.size() == 3;
        });
    for (var visit : visits) {
      var end = VisitResult.fetched(1).withLinks(pages(visit.host(), 5));
      frontier.done(visit, end);
    }
    redis.call(
        Command.HSET,
        "frontier:host:b.test",
        "until",
        view.inspect(1).at() + 60_000,
        "delay",
        1_000);

    var all = view.inspect(10);
    assertThat(all.crawls()).isEqualTo(3);
    assertThat(all.open()).isEqualTo(15);
    var c = all.hosts().stream().filter(host -> host.name().equals("c.test")).findFirst();
    assertThat(c.orElseThrow().queued()).isEqualTo(5);
    assertThat(c.get().readyAt()).isGreaterThan(all.at() + 30_000);
    assertThat(view.why(c.get(), all.at()))
        .isEqualTo("its robots.txt asks for a Crawl-delay of 40 s");
    var b = all.hosts().stream().filter(host -> host.name().equals("b.test")).findFirst();
    assertThat(view.why(b.orElseThrow(), all.at()))
        .isEqualTo("it asked to be left alone (429 or 503)");
    assertThat(view.inspect(third, 10).hosts())
        .extracting(FrontierInspector.Host::name)
        .containsExactly("c.test");
  }

  @Test // its crawler was killed and is not there to clear away what is left of it
  void pagesOfACanceledCrawlWaitNoLonger() {
    var frontier = eager();
    var view = new FrontierInspector(redis, Duration.ZERO, 4);
    var canceled = begin(frontier, "a.test", 100);
    frontier.done(takeOne(frontier), VisitResult.fetched(1).withLinks(pages("a.test", 5)));
    frontier.done(takeOne(frontier), VisitResult.later(Duration.ofMinutes(1)));
    takeOne(frontier);
    begin(frontier, "b.test", 100);

    redis.call(Command.HSET, "crawl:" + canceled, "state", "canceled");

    var all = view.inspect(10);
    assertThat(all.crawls()).isEqualTo(1);
    assertThat(all.open()).isEqualTo(1);
    assertThat(all.running()).isZero();
    assertThat(all.later()).isZero();
    assertThat(all.laterAt()).isNull();
    assertThat(all.hosts())
        .filteredOn(host -> host.queued() + host.running() + host.later() > 0)
        .extracting(FrontierInspector.Host::name)
        .containsExactly("b.test");
    var one = view.inspect(canceled, 10);
    assertThat(one.open()).isZero();
    assertThat(one.hosts()).isEmpty();
  }
}

package io.tidemill.crawl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.fetch.Packing;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.TestSite;
import java.net.URI;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// What sites wish, do and get wrong, and what of it is found in the end.
class CrawlSiteIT {
  private static final Map<String, String> HTML =
      Map.of("Content-Type", "text/html; charset=utf-8");
  private static final String SITE = "\"maxPages\":50";
  private static CrawlPlatform platform;
  private TestSite site;

  @BeforeAll
  static void start() {
    // With so short a memory every crawl is one of its own.
    platform = CrawlPlatform.whole("crawler.seen-ttl=1ms", "fetch.timeout=5s");
  }

  @AfterAll
  static void stop() {
    platform.close();
  }

  @BeforeEach
  void open() {
    site = TestSite.start();
  }

  @AfterEach
  void close() {
    site.close();
  }

  private static String html(String text, String... links) {
    return headed("", text, links);
  }

  private static String headed(String head, String text, String... links) {
    var html = new StringBuilder("<html><head>" + head + "<title>Page</title></head><body>");
    html.append("<p>").append(text).append("</p>");
    for (var link : links) html.append("<a href=\"").append(link).append("\">on</a> ");
    return html + "</body></html>";
  }

  private static String status(JsonNode crawl) {
    return crawl.get("status").stringValue();
  }

  private static String error(JsonNode crawl) {
    return crawl.at("/result/errorMessage").asString("");
  }

  private JsonNode line(JsonNode crawl, String path) {
    return platform.pages(crawl.get("id").stringValue()).stream()
        .filter(page -> page.get("url").stringValue().equals(site.url(path)))
        .findFirst()
        .orElseThrow();
  }

  private Stream<String> asked() {
    return site.log().stream()
        .map(TestSite.Access::path)
        .filter(path -> !path.equals("/robots.txt"));
  }

  private static int total(String query) {
    return platform.search(query).get("total").intValue();
  }

  // ---- dry runs

  @Test
  void aDryRunTellsWhereTheCrawlWouldGoAndWhyNotElsewhere() {
    site.robots("User-agent: *\nDisallow: /private\nCrawl-delay: 2");
    var root = site.url("/");
    site.page(
        "/", html("Mills and tides", "/a", "/a#top", "/private/1", "https://b.example/", root));
    site.page("/a", html("a"));

    var crawl = platform.crawled(root, SITE, "\"dryRun\":true");
    var again = platform.crawled(root, SITE, "\"dryRun\":true");

    assertThat(status(crawl)).isEqualTo("completed");
    var preview = crawl.at("/result/preview");
    assertThat(preview.at("/robots"))
        .hasToString(
            "{\"allowed\":true,\"status\":\"found\",\"crawlDelayMs\":2000,\"sitemaps\":[]}");
    assertThat(preview.at("/page/text").asString("")).contains("Mills and tides");
    assertThat(preview.at("/links/found").intValue()).isEqualTo(3);
    assertThat(preview.at("/links/first")).hasToString("[\"" + site.url("/a") + "\"]");
    assertThat(preview.at("/links/refused").toString())
        .contains("robots.txt disallows it", "outside the host", "https://b.example/");
    assertThat(preview.at("/estimate")).hasToString("{\"pages\":2,\"atLeastMs\":2000}");
    assertThat(again.at("/result")).isEqualTo(crawl.at("/result"));
    assertThat(asked()).containsExactly("/", "/");
    assertThat(total("mills tides")).isZero();
  }

  @Test
  void aDryRunOfWhatMayNotOrCanNotBeFetchedSaysSoAtOnce() {
    site.robots("User-agent: *\nDisallow: /private");
    site.answer("/busy", 503, Map.of(), new byte[0]);

    var forbidden = platform.crawled(site.url("/private/1"), "\"dryRun\":true");
    var gone = platform.crawled(site.url("/gone"), "\"dryRun\":true");
    var busy = platform.crawled(site.url("/busy"), "\"dryRun\":true");

    assertThat(forbidden.at("/result/preview/robots/allowed").asBoolean(true)).isFalse();
    assertThat(error(gone)).isEqualTo("the host answered 404");
    assertThat(error(busy)).isEqualTo("the host answered 503");
    assertThat(asked()).containsExactly("/gone", "/busy");
    // Nobody misses these pages.
    assertThat(failedPages()).isZero();
  }

  private long failedPages() {
    try (var redis = new Resp(URI.create(platform.redis().address()).getPort())) {
      return redis.stream("pages:failed").stream()
          .filter(entry -> entry.fields().getOrDefault("line", "").contains(site.url("/")))
          .count();
    }
  }

  @Test
  void aDryRunGoesWhereTheFirstPageWentAndReadsItsSitemap() {
    site.robots("User-agent: *\nDisallow: /private\nSitemap: " + site.url("/map.xml"));
    site.answer("/old", 301, Map.of("Location", "/new"), new byte[0]);
    site.page("/new", headed("<link rel=canonical href=/best>", "moved", "/a"));
    site.answer(
        "/map.xml",
        200,
        Map.of("Content-Type", "application/xml"),
        "<urlset><url><loc>%s</loc></url><url><loc>%s</loc></url><url><loc>%s</loc></url></urlset>"
            .formatted(site.url("/a"), site.url("/b"), site.url("/private/1"))
            .getBytes(UTF_8));
    site.answer("/astray", 302, Map.of("Location", "/private/1"), new byte[0]);
    site.answer("/loop", 302, Map.of("Location", "/loop"), new byte[0]);

    var moved = platform.crawled(site.url("/old"), SITE, "\"sitemaps\":true", "\"dryRun\":true");
    var astray = platform.crawled(site.url("/astray"), "\"dryRun\":true");
    var loop = platform.crawled(site.url("/loop"), "\"dryRun\":true");

    var preview = moved.at("/result/preview");
    assertThat(preview.path("url").asString("")).isEqualTo(site.url("/new"));
    assertThat(preview.path("identity").asString("")).isEqualTo(site.url("/best"));
    assertThat(preview.path("sitemap")).hasToString("{\"read\":true,\"urls\":3,\"followed\":1}");
    assertThat(preview.at("/estimate/pages").intValue()).isEqualTo(3);
    assertThat(error(astray)).contains("robots.txt disallows it");
    assertThat(error(loop)).contains("redirect");
    assertThat(asked()).doesNotContain("/private/1", "/a", "/b");
  }

  // ---- wishes

  @Test
  void fetchesNothingThatRobotsTxtDisallows() { // F51
    site.robots("User-agent: *\nDisallow: /private");
    site.page("/", html("root", "/private/1", "/public"));
    site.page("/public", html("open"));

    var crawl = platform.crawled(site.url("/"), SITE);

    assertThat(asked()).containsExactlyInAnyOrder("/", "/public");
    assertThat(line(crawl, "/private/1").get("outcome").stringValue()).isEqualTo("skipped");
    assertThat(line(crawl, "/private/1").get("reason").stringValue()).contains("robots.txt");
    var alone = platform.crawled(site.url("/private/1"));
    assertThat(status(alone)).isEqualTo("failed");
    assertThat(error(alone)).isEqualTo("robots.txt disallows it");
  }

  @Test
  void fetchesNothingWhileRobotsTxtCanNotBeRead() { // RFC 9309: 5xx means keep out
    site.answer("/robots.txt", 500, Map.of(), new byte[0]);
    site.page("/", html("root"));

    var crawl = platform.crawled(site.url("/"));

    assertThat(status(crawl)).isEqualTo("failed");
    assertThat(error(crawl)).contains("robots.txt").contains("500").contains("4 attempts");
    assertThat(asked()).isEmpty();
  }

  @Test
  void goesOnWhenRobotsTxtCanBeReadAgain() {
    var times = new AtomicInteger();
    site.on(
        "/robots.txt",
        (_, reply) -> reply.send(times.incrementAndGet() == 1 ? 503 : 404, Map.of(), ""));
    site.page("/", html("root"));

    assertThat(status(platform.crawled(site.url("/")))).isEqualTo("completed");
  }

  @Test
  void indexesNoPageThatSaysNoindexButFollowsItsLinks() {
    site.page("/", headed("<meta name=robots content=noindex>", "quicksand root", "/tag", "/leaf"));
    site.answer(
        "/tag",
        200,
        Map.of("Content-Type", "text/html", "X-Robots-Tag", "noindex"),
        html("quicksand tag", "/deep").getBytes(UTF_8));
    site.page("/leaf", html("quicksand leaf"));
    site.page("/deep", html("quicksand deep"));

    var crawl = platform.crawled(site.url("/"), SITE);

    assertThat(asked()).containsExactlyInAnyOrder("/", "/tag", "/leaf", "/deep");
    assertThat(line(crawl, "/tag").get("reason").stringValue()).contains("noindex");
    var found = platform.awaitFound("quicksand", 2).get("hits");
    assertThat(found)
        .extracting(hit -> hit.get("url").stringValue())
        .containsExactlyInAnyOrder(site.url("/leaf"), site.url("/deep"));
  }

  @Test
  void followsNoLinksThatSayNofollow() {
    site.page("/", "<title>x</title><a rel=nofollow href=/hidden>no</a> <a href=/page>yes</a>");
    site.page("/page", headed("<meta name=robots content=nofollow>", "text", "/hidden2"));

    platform.crawled(site.url("/"), SITE);

    assertThat(asked()).containsExactly("/", "/page");
  }

  @Test
  void aPageThatIsStillTheSameHidesTheSameLinks() {
    site.on(
        "/",
        (request, reply) -> {
          if ("\"v1\"".equals(request.header("If-None-Match"))) reply.send(304, Map.of(), "");
          else {
            reply.send(
                200,
                Map.of("Content-Type", "text/html", "ETag", "\"v1\""),
                headed("<meta name=robots content=nofollow>", "text", "/hidden"));
          }
        });

    platform.crawled(site.url("/"), SITE);
    var again = platform.crawled(site.url("/"), SITE);

    assertThat(line(again, "/").get("status").intValue()).isEqualTo(304);
    assertThat(asked()).containsExactly("/", "/");
  }

  // ---- versions

  @Test
  void publishesNothingThatIsStillTheSameButFollowsItsLinks() {
    site.on(
        "/",
        (request, reply) -> {
          if ("\"v1\"".equals(request.header("If-None-Match"))) reply.send(304, Map.of(), "");
          else {
            reply.send(
                200,
                Map.of("Content-Type", "text/html", "ETag", "\"v1\""),
                html("hawsers stay", "/leaf"));
          }
        });
    site.page("/leaf", html("an older leaf about bilges"));
    platform.crawled(site.url("/"), SITE);
    var before = platform.awaitFound("hawsers", 1).at("/hits/0/messageId").stringValue();
    platform.awaitFound("bilges", 1);
    site.page("/leaf", html("a newer leaf about scuppers"));

    var again = platform.crawled(site.url("/"), SITE);

    platform.awaitFound("scuppers", 1);
    assertThat(total("bilges")).isZero();
    assertThat(line(again, "/").get("status").intValue()).isEqualTo(304);
    assertThat(platform.search("hawsers").at("/hits/0/messageId").stringValue()).isEqualTo(before);
  }

  @Test
  void asksForAPageWithMoreLinksThanItRemembersInFull() {
    var links = new String[130];
    for (int i = 0; i < links.length; i++) links[i] = "/n" + i;
    site.on("/*", (_, reply) -> reply.send(200, HTML, html("x")));
    site.on(
        "/",
        (request, reply) -> {
          if (request.header("If-None-Match") != null) reply.send(304, Map.of(), "");
          else reply.send(200, Map.of("Content-Type", "text/html", "ETag", "1"), html("x", links));
        });

    platform.crawled(site.url("/"), "\"maxPages\":500");
    var again = platform.crawled(site.url("/"), "\"maxPages\":500");

    assertThat(again.at("/result/found").intValue()).isEqualTo(131);
  }

  @Test
  void theSamePageAgainIsOneDocument() {
    site.page("/", html("unchanged mooringring"));

    platform.crawled(site.url("/"));
    var again = platform.crawled(site.url("/"));

    await()
        .until(() ->
            platform
                .search("mooringring")
                .at("/hits/0/crawlId")
                .asString("")
                .equals(again.get("id").stringValue()));
    assertThat(total("mooringring")).isEqualTo(1);
  }

  // ---- elsewhere

  @Test
  void followsARedirectAndKnowsThePageByItsEnd() { // C4.4
    site.redirect("/old", "/middle").redirect("/middle", "/new");
    site.page("/new", html("the tugboat moved here"));

    var crawl = platform.crawled(site.url("/old"));

    assertThat(crawl.at("/result/finalUrl").stringValue()).isEqualTo(site.url("/new"));
    assertThat(platform.awaitFound("tugboat", 1).at("/hits/0/url").stringValue())
        .isEqualTo(site.url("/new"));
  }

  @Test
  void aFirstPageThatMovedTakesTheCrawlWithIt() {
    site.redirect("/", "/en/");
    site.page("/en/", html("root", "/en/a", "/de/b"));
    site.page("/en/a", html("a", "/en/c", "/de/d"));
    site.page("/en/c", html("c"));

    platform.crawled(site.url("/"), SITE, "\"scope\":\"prefix\"");

    assertThat(asked()).containsExactly("/", "/en/", "/en/a", "/en/c");
  }

  @Test
  void leavesARedirectLoop() {
    site.redirect("/a", "/b").redirect("/b", "/a");

    var crawl = platform.crawled(site.url("/a"));

    assertThat(status(crawl)).isEqualTo("failed");
    assertThat(error(crawl)).contains("redirect");
    assertThat(asked()).containsExactly("/a", "/b");
  }

  @Test
  void aRedirectToWhereRobotsTxtDisallowsItIsNotFollowed() {
    site.robots("User-agent: *\nDisallow: /private");
    site.redirect("/", "/private/");

    var crawl = platform.crawled(site.url("/"));

    assertThat(error(crawl)).contains("robots.txt disallows");
    assertThat(asked()).containsExactly("/");
  }

  // ---- gone

  @ParameterizedTest
  @ValueSource(ints = {404, 410})
  void takesAPageOutOfTheIndexThatIsGone(int status) {
    var word = status == 404 ? "jetsam" : "flotsam";
    site.page("/", html("root of " + word, "/leaf"));
    site.page("/leaf", html("leaf of " + word));
    platform.crawled(site.url("/"), SITE);
    platform.awaitFound(word, 2);
    site.answer("/leaf", status, Map.of(), new byte[0]);

    var crawl = platform.crawled(site.url("/"), SITE);

    platform.awaitFound(word, 1);
    assertThat(line(crawl, "/leaf").get("outcome").stringValue()).isEqualTo("failed");
    assertThat(line(crawl, "/leaf").get("reason").stringValue()).contains("" + status);
    assertThat(error(platform.crawled(site.url("/leaf")))).isEqualTo("the host answered " + status);
  }

  @Test
  void takesAPageOutOfTheIndexThatSaysNoindexNow() {
    site.page("/", html("root of seaweed", "/leaf"));
    site.page("/leaf", html("leaf of seaweed"));
    platform.crawled(site.url("/"), SITE);
    platform.awaitFound("seaweed", 2);
    site.page("/leaf", headed("<meta name=robots content=noindex>", "leaf of seaweed"));

    platform.crawled(site.url("/"), SITE);

    platform.awaitFound("seaweed", 1);
  }

  @Test
  void takesAPageOutOfTheIndexThatIsGoneFromWhereItHadMoved() {
    site.redirect("/old", "/new");
    site.page("/new", html("moved oysters"));
    platform.crawled(site.url("/old"));
    platform.awaitFound("oysters", 1);
    site.answer("/new", 410, Map.of(), new byte[0]);

    platform.crawled(site.url("/old"));

    platform.awaitFound("oysters", 0);
  }

  // ---- trouble

  @Test
  void leavesAHostAloneThatAsksForIt() { // F51
    var times = new AtomicInteger();
    site.on(
        "/",
        (_, reply) -> {
          if (times.incrementAndGet() > 1) reply.send(200, HTML, html("at last"));
          else reply.send(429, Map.of("Retry-After", "1"), "");
        });

    var id = platform.crawl(site.url("/"));
    await()
        .pollInterval(Duration.ofMillis(10))
        .until(() -> platform.get("/api/crawls/" + id).has("rateLimitedUntil"));

    assertThat(status(platform.awaitEnd(id))).isEqualTo("completed");
    var asked = site.log("/");
    assertThat(asked).hasSize(2);
    assertThat(Duration.ofNanos(asked.get(1).nanoTime() - asked.get(0).nanoTime()))
        .isGreaterThan(Duration.ofMillis(950));
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 503})
  void triesAgainWhenAHostIsInTrouble(int status) {
    var times = new AtomicInteger();
    site.on(
        "/",
        (_, reply) -> {
          if (times.incrementAndGet() > 2) reply.send(200, HTML, html("recovered"));
          else reply.send(status, Map.of(), "");
        });

    assertThat(status(platform.crawled(site.url("/")))).isEqualTo("completed");
    assertThat(site.log("/")).hasSize(3);
  }

  @Test
  void givesUpInTheEnd() {
    site.answer("/", 500, Map.of(), new byte[0]);

    var crawl = platform.crawled(site.url("/"));

    assertThat(error(crawl)).isEqualTo("the host answered 500 (4 attempts)");
    assertThat(site.log("/")).hasSize(4);
  }

  @Test
  void triesAgainWhenAHostDoesNotAnswer() {
    var times = new AtomicInteger();
    var never = new CountDownLatch(1);
    site.on(
        "/",
        (_, reply) -> {
          if (times.incrementAndGet() == 1) TestSite.await(never);
          else reply.send(200, HTML, html("awake"));
        });

    assertThat(status(platform.crawled(site.url("/")))).isEqualTo("completed");
    never.countDown();
    assertThat(site.log("/").size()).isGreaterThan(1);
  }

  @Test
  void oneBadPageDoesNotSpoilTheCrawl() {
    site.page("/", html("root", "/bad", "/good"));
    site.answer("/bad", 403, Map.of(), new byte[0]);
    site.page("/good", html("fine"));

    var crawl = platform.crawled(site.url("/"), SITE);

    assertThat(status(crawl)).isEqualTo("completed");
    assertThat(crawl.at("/result/fetched").intValue()).isEqualTo(2);
    assertThat(crawl.at("/result/failed").intValue()).isEqualTo(1);
    assertThat(line(crawl, "/bad").get("reason").stringValue()).isEqualTo("the host answered 403");
  }

  // ---- bodies

  @Test
  void skipsWhatHasNoTextForUs() {
    site.answer("/", 200, Map.of("Content-Type", "image/png"), new byte[] {1, 2, 3});

    var crawl = platform.crawled(site.url("/"));

    assertThat(status(crawl)).isEqualTo("failed");
    assertThat(error(crawl)).contains("image/png");
  }

  @ParameterizedTest
  @CsvSource({"windows-1251,причалы", "Shift_JIS,灯台守"})
  void findsPagesOfOtherCharsets(String charset, String word) {
    var body = headed("<meta charset=" + charset + ">", word + " 1904");
    site.answer(
        "/", 200, Map.of("Content-Type", "text/html"), body.getBytes(Charset.forName(charset)));

    platform.crawled(site.url("/"));

    platform.awaitFound(word, 1);
  }

  @ParameterizedTest
  @CsvSource({"gzip,barnacle", "br,periwinkle", "zstd,cuttlefish"})
  void findsPackedPages(String encoding, String word) {
    var body = Packing.pack(encoding, html("packed " + word).getBytes(UTF_8));
    site.answer("/", 200, Map.of("Content-Type", "text/html", "Content-Encoding", encoding), body);

    platform.crawled(site.url("/"));

    platform.awaitFound(word, 1);
  }
}

package io.tidemill.crawl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.TestSite;
import java.net.URI;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// From a crawl request to a search result, over real servers and a real site.
class CrawlIT {
  private static CrawlPlatform platform;
  private static CrawlPlatform.Part crawler;
  private TestSite site;

  @BeforeAll
  static void start() {
    platform = CrawlPlatform.servers();
    platform.gateway();
    platform.indexer();
    crawler = platform.crawler();
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
    var html = new StringBuilder("<html><head><title>Page</title></head><body><p>" + text + "</p>");
    for (var link : links) html.append("<a href=\"").append(link).append("\">on</a> ");
    return html + "</body></html>";
  }

  private static String error(JsonNode crawl) {
    return crawl.at("/result/errorMessage").asString("");
  }

  private static List<String> fetched(JsonNode crawl) {
    return StreamSupport.stream(crawl.at("/result/pages").spliterator(), false)
        .filter(page -> page.get("outcome").stringValue().equals("fetched"))
        .map(page -> page.get("url").stringValue())
        .toList();
  }

  private List<String> urls(String... paths) {
    return Stream.of(paths).map(site::url).toList();
  }

  private List<String> asked() {
    return site.log().stream()
        .map(TestSite.Access::path)
        .filter(path -> !path.equals("/robots.txt"))
        .toList();
  }

  private static void replaceCrawler(String... settings) {
    platform.stop(crawler);
    crawler = platform.crawler(settings);
  }

  @Test
  void findsAPageSecondsAfterItWasAskedFor() { // C1.2, C1.3, C4.7
    site.page("/", "<title>Harbour</title><p>The Lighthouse keeper counts ships at night.</p>");

    var crawl = platform.crawled(site.url("/"));

    assertThat(crawl.get("status").stringValue()).isEqualTo("completed");
    assertThat(crawl.at("/result/title").stringValue()).isEqualTo("Harbour");
    assertThat(crawl.at("/result/text").stringValue()).contains("Lighthouse keeper");
    var hit = platform.awaitFound("lighthouse", 1).at("/hits/0");
    assertThat(hit.get("url").stringValue()).isEqualTo(site.url("/"));
    assertThat(hit.get("title").stringValue()).isEqualTo("Harbour");
    assertThat(hit.get("snippet").stringValue()).contains("The <em>Lighthouse</em> keeper");
    assertThat(hit.get("crawlId").stringValue()).isEqualTo(crawl.get("id").stringValue());
    assertThat(hit.get("contentHash").stringValue())
        .isEqualTo(crawl.at("/result/contentHash").stringValue());
    assertThat(hit.get("statusCode").intValue()).isEqualTo(200);
    assertThat(hit.get("messageId").stringValue()).isNotEmpty();
  }

  @Test
  void keepsWhatIsKnownBesideTheTextOfThePage() { // C1.2, C1.3
    site.page("/", "<title>Quay</title><p>Words of the quay.</p><a href='/next'>on</a>");

    var crawl = platform.crawled(site.url("/"));

    assertThat(entity(crawl).get("result").stringValue()).contains("Words of the quay.");
    assertThat(crawl.at("/result/title").stringValue()).isEqualTo("Quay");
    assertThat(crawl.at("/result/links/0").stringValue()).isEqualTo(site.url("/next"));
    var listed = platform.get("/api/crawls?email=" + owner(crawl)).get("crawls");
    assertThat(listed).anyMatch(one -> one.at("/result/title").asString("").equals("Quay"));
  }

  private static JsonNode entity(JsonNode crawl) {
    try (var redis = new Resp(URI.create(platform.redis().address()).getPort())) {
      return Json.parse(
          redis.call("HGET", "crawls:" + owner(crawl), crawl.get("id").stringValue()).toString());
    }
  }

  private static String owner(JsonNode crawl) {
    return crawl.get("email").stringValue();
  }

  @Test
  void answersWithAnObjectWhenSetSo() { // C1.2
    replaceCrawler("crawler.scraped-data=object");
    try {
      site.page("/", "<title>Quay</title><p>All about the quay.</p>");

      var crawl = platform.crawled(site.url("/"));

      assertThat(entity(crawl).at("/result/title").stringValue()).isEqualTo("Quay");
    } finally {
      replaceCrawler();
    }
  }

  @Test
  void connectsToNoPrivateAddressUnlessAllowedTo() { // F47
    replaceCrawler("crawler.allow-networks=", "fetch.ports=" + site.port());
    try {
      site.page("/", html("behind the wall"));

      var crawl = platform.crawled(site.url("/"));

      assertThat(crawl.get("status").stringValue()).isEqualTo("failed");
      assertThat(error(crawl)).contains("loopback");
      assertThat(site.connects()).isZero();
    } finally {
      replaceCrawler();
    }
  }

  @Test
  void followsTheLinksOfASite() {
    site.page("/", html("isthmus root", "/a", "/b", "http://127.0.0.2:1/elsewhere"));
    site.page("/a", html("isthmus first", "/", "/b", "/c#part"));
    site.page("/b", html("isthmus second", "/c"));
    site.page("/c", html("isthmus third"));

    var crawl = platform.crawled(site.url("/"), "\"maxPages\":50");

    assertThat(fetched(crawl)).containsExactlyInAnyOrderElementsOf(urls("/", "/a", "/b", "/c"));
    assertThat(asked()).containsExactlyInAnyOrder("/", "/a", "/b", "/c");
    assertThat(crawl.at("/progress/fetched").intValue()).isEqualTo(4);
    assertThat(crawl.at("/progress/found").intValue()).isEqualTo(4);
    platform.awaitFound("isthmus", 4);
  }

  @Test
  void fetchesNoMorePagesThanAskedFor() {
    var links = new ArrayList<String>();
    for (int i = 0; i < 20; i++) {
      links.add("/" + i);
      site.page("/" + i, html("number " + i));
    }
    site.page("/", html("many", links.toArray(String[]::new)));

    var crawl = platform.crawled(site.url("/"), "\"maxPages\":7");

    assertThat(crawl.at("/result/fetched").intValue()).isEqualTo(7);
    assertThat(crawl.at("/result/stoppedBy").stringValue()).isEqualTo("maxPages");
    assertThat(asked()).hasSize(7);
  }

  @Test
  void goesNoDeeperThanAskedFor() {
    site.page("/", html("zero", "/1"));
    site.page("/1", html("one", "/2"));
    site.page("/2", html("two", "/3"));
    site.page("/3", html("three"));

    platform.crawled(site.url("/"), "\"maxPages\":50,\"maxDepth\":2");

    assertThat(asked()).containsExactly("/", "/1", "/2");
  }

  @Test
  void followsOnlyWhatIsIncludedAndNotExcluded() {
    site.page("/", html("root", "/news/1", "/news/2?print=1", "/shop/1"));
    site.on("/*", (_, reply) -> reply.send(200, Map.of("Content-Type", "text/html"), ""));

    platform.crawled(
        site.url("/"), "\"maxPages\":50,\"include\":[\"/news/\"],\"exclude\":[\"print=\"]");

    assertThat(asked()).containsExactly("/", "/news/1");
  }

  @Test
  void staysBelowItsFirstPageWhenTheScopeIsThePrefix() {
    site.page("/docs/", html("root", "/docs/a", "/docs/b/c", "/blog/"));
    site.page("/docs/a", html("a"));
    site.page("/docs/b/c", html("c"));

    platform.crawled(site.url("/docs/"), "\"maxPages\":50,\"scope\":\"prefix\"");

    assertThat(asked()).containsExactlyInAnyOrder("/docs/", "/docs/a", "/docs/b/c");
  }

  @Test
  void readsTheSitesOwnListOfPagesWhenAskedTo() {
    site.robots("Sitemap: " + site.url("/map.xml"));
    site.answer(
        "/map.xml",
        200,
        Map.of("Content-Type", "application/xml"),
        ("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>"
                + site.url("/alone")
                + "</loc></url></urlset>")
            .getBytes(UTF_8));
    site.page("/", html("root without links"));
    site.page("/alone", html("linked by nobody"));

    var with = platform.crawled(site.url("/"), "\"maxPages\":9,\"sitemaps\":true");
    var before = asked().size();
    var without = platform.crawled(site.url("/"), "\"maxPages\":9,\"recrawl\":true");

    assertThat(fetched(with)).containsExactlyInAnyOrderElementsOf(urls("/", "/alone"));
    assertThat(fetched(without)).containsExactly(site.url("/"));
    assertThat(asked()).hasSize(before + 1);
  }

  @Test
  void answersWithWhatAShortTimeAgoWasFound() { // C1.2, C4.3
    site.page("/", html("once is enough"));
    var first = platform.crawled(site.url("/"));

    var second = platform.crawled(site.url("/#part"));

    assertThat(second.get("status").stringValue()).isEqualTo("completed");
    assertThat(second.at("/result/alreadyCrawled").booleanValue()).isTrue();
    assertThat(second.at("/result/crawlId").stringValue()).isEqualTo(first.get("id").stringValue());
    for (var field : List.of("text", "title", "fetchedAt")) {
      assertThat(second.get("result").get(field)).isEqualTo(first.get("result").get(field));
    }
    assertThat(asked()).hasSize(1);
  }

  @Test
  void fetchesWhatIsOlderThanTheCrawlWants() { // C1.2
    site.page("/", html("the tide table"));
    var first = platform.crawled(site.url("/"));

    var young = platform.crawled(site.url("/"), "\"maxAge\":600");
    var asked = asked().size();
    var fresh = platform.crawled(site.url("/"), "\"maxAge\":0");

    assertThat(young.at("/result/fetchedAt")).isEqualTo(first.at("/result/fetchedAt"));
    assertThat(asked).isEqualTo(1);
    assertThat(fresh.at("/result/fetchedAt")).isNotEqualTo(first.at("/result/fetchedAt"));
    assertThat(asked()).hasSize(2);
  }

  @Test
  void answersWithThePageOfASiteThatWasCrawledAShortTimeAgo() { // C1.2, C4.3
    site.page("/", html("root", "/a"));
    site.page("/a", html("the ferry leaves at noon"));
    platform.crawled(site.url("/"), "\"maxPages\":9");

    var page = platform.crawled(site.url("/a"));

    assertThat(page.get("status").stringValue()).isEqualTo("completed");
    assertThat(page.at("/result/text").stringValue()).contains("the ferry leaves at noon");
  }

  @Test
  void answersWithAPageThatWasCrawledByAnotherName() { // C1.2, C4.4
    site.page("/real", html("one berth, two names"));
    site.redirect("/alias", "/real");
    platform.crawled(site.url("/real"));

    var page = platform.crawled(site.url("/alias"));

    assertThat(page.get("status").stringValue()).isEqualTo("completed");
    assertThat(page.at("/result/text").stringValue()).contains("one berth, two names");
  }

  @Test
  void fetchesAgainWhenAskedToAndShowsTheNewText() {
    site.page("/", html("the older words about gantries"));
    platform.crawled(site.url("/"));
    platform.awaitFound("gantries", 1);
    site.page("/", html("the newer words about trolleybuses"));

    var again = platform.crawled(site.url("/"), "\"recrawl\":true");

    assertThat(again.at("/result/text").stringValue()).contains("trolleybuses");
    platform.awaitFound("trolleybuses", 1);
    assertThat(platform.search("gantries").get("total").intValue()).isZero();
  }

  @Test
  void goesOnBehindPagesThatWereCrawledAShortTimeAgo() { // C4.3
    site.page("/", html("root", "/a"));
    site.page("/a", html("leaf"));
    platform.crawled(site.url("/"));

    var whole = platform.crawled(site.url("/"), "\"maxPages\":9");

    assertThat(asked()).containsExactly("/", "/a");
    assertThat(fetched(whole)).containsExactly(site.url("/a"));
  }

  @Test
  void goesOnWhereAPageHadMovedThatWasCrawledAShortTimeAgo() {
    site.redirect("/", "/en/");
    site.page("/en/", html("root", "/en/a"));
    site.page("/en/a", html("leaf"));
    platform.crawled(site.url("/"));

    var whole = platform.crawled(site.url("/"), "\"maxPages\":9,\"scope\":\"prefix\"");

    assertThat(asked()).containsExactly("/", "/en/", "/en/a");
    assertThat(fetched(whole)).containsExactly(site.url("/en/a"));
  }

  @Test
  void saysSoWhenAWholeSiteWasCrawledAShortTimeAgo() { // C4.3
    site.page("/", html("root", "http://elsewhere.example/"));
    platform.crawled(site.url("/"));

    var again = platform.crawled(site.url("/"), "\"maxPages\":9");

    assertThat(again.get("status").stringValue()).isEqualTo("completed");
    assertThat(again.at("/result/alreadyCrawled").booleanValue()).isTrue();
  }

  @Test
  void fetchesAPageOnceForTwoCrawlsAtOnce() throws Exception { // C4.3, F36
    var go = new CountDownLatch(1);
    site.on(
        "/",
        (_, reply) -> {
          TestSite.await(go);
          reply.send(200, Map.of("Content-Type", "text/html"), html("shared"));
        });
    var one = platform.crawl(site.url("/"));
    await().until(() -> asked().size() == 1);
    var two = platform.crawl(site.url("/"));
    await().until(() -> platform.get("/api/crawls/" + two).has("startedAt"));
    go.countDown();

    assertThat(platform.awaitEnd(one).at("/result/text").stringValue()).contains("shared");
    assertThat(platform.awaitEnd(two).at("/result/alreadyCrawled").booleanValue()).isTrue();
    assertThat(asked()).hasSize(1);
  }

  @Test
  void knowsTwoUrlsOfOnePageByTheirCanonicalLink() { // C4.4
    site.page("/", html("root", "/item?view=1", "/item?view=2"));
    site.page(
        "/item",
        "<link rel=canonical href='/item'><title>Item</title><p>one bollard by two names</p>");

    var crawl = platform.crawled(site.url("/"), "\"maxPages\":9");

    assertThat(fetched(crawl)).containsExactlyInAnyOrderElementsOf(urls("/", "/item"));
    assertThat(crawl.at("/result/skipped").intValue()).isEqualTo(1);
    var hit = platform.awaitFound("bollard", 1).at("/hits/0");
    assertThat(hit.get("url").stringValue()).isEqualTo(site.url("/item"));
  }

  @Test
  void takesNoCanonicalLinkToAnotherHost() { // C4.4
    site.page(
        "/", "<link rel=canonical href='http://example.com/'><title>x</title><p>capstan here</p>");

    platform.crawled(site.url("/"));

    assertThat(platform.awaitFound("capstan", 1).at("/hits/0/url").stringValue())
        .isEqualTo(site.url("/"));
  }

  @Test
  void skipsPagesWithTheSameText() {
    var text = "Every word of this page is also on the other one. ".repeat(10);
    site.page("/", html("root", "/one", "/two"));
    site.page("/one", html(text));
    site.page("/two", html(text));

    var crawl = platform.crawled(site.url("/"), "\"maxPages\":9");

    assertThat(crawl.at("/result/fetched").intValue()).isEqualTo(2);
    assertThat(crawl.at("/result/skipped").intValue()).isEqualTo(1);
    assertThat(Json.text(crawl.at("/result/pages"))).contains("the same text as " + site.url("/"));
  }

  @Test
  void stopsWhenItsBytesAreSpent() {
    var links = new String[20];
    for (int i = 0; i < 20; i++) {
      links[i] = "/" + i;
      site.page("/" + i, html("page " + i + " " + "x".repeat(10_000)));
    }
    site.page("/", html("root", links));

    var crawl = platform.crawled(site.url("/"), "\"maxPages\":50,\"maxBytes\":30000");

    assertThat(crawl.at("/result/stoppedBy").stringValue()).isEqualTo("maxBytes");
    // Pages that were under way when the budget ran out are not thrown away.
    assertThat(crawl.at("/result/fetched").intValue()).isBetween(4, 8);
  }

  @Test
  void stopsWhenItsTimeIsUpEvenIfTheHostWantsToBeLeftAlone() {
    site.page("/", html("root", "/busy", "/a"));
    site.answer("/busy", 429, Map.of("Retry-After", "500"), new byte[0]);
    site.answer("/a", 429, Map.of("Retry-After", "500"), new byte[0]);

    var crawl = platform.crawled(site.url("/"), "\"maxPages\":50,\"maxSeconds\":5");

    assertThat(crawl.at("/result/stoppedBy").stringValue()).isEqualTo("maxSeconds");
    assertThat(crawl.at("/result/fetched").intValue()).isEqualTo(1);
  }

  @Test
  void stopsFetchingWhenItIsCanceled() {
    var links = new String[100];
    for (int i = 0; i < 100; i++) links[i] = "/slow/" + i;
    site.page("/", html("root", links));
    var go = new CountDownLatch(1);
    site.on(
        "/slow/*",
        (_, reply) -> {
          TestSite.await(go); // until the other side hangs up
          reply.close();
        });
    site.page("/after", html("later"));
    var id = platform.crawl(site.url("/"), "\"maxPages\":200");
    await().until(() -> asked().size() == 5); // 4 at once

    var answer = Json.parse(platform.delete("/api/crawls/" + id).body());
    // Its places at the host are free again.
    var after = platform.crawled(site.url("/after"));
    go.countDown();

    assertThat(answer.get("status").stringValue()).isEqualTo("canceled");
    assertThat(after.get("status").stringValue()).isEqualTo("completed");
    assertThat(platform.get("/api/crawls/" + id).get("status").stringValue()).isEqualTo("canceled");
    assertThat(asked()).filteredOn(path -> path.startsWith("/slow/")).hasSize(4);
    await().until(() -> platform.get("/api/crawls/" + id).has("endedAt"));
    assertThat(platform.delete("/api/crawls/" + id).statusCode()).isEqualTo(409);
  }

  @Test
  void removesAPageFromTheIndexOnRequest() {
    site.page("/", html("a page about spinnakers"));
    platform.crawled(site.url("/"));
    platform.awaitFound("spinnakers", 1);

    var answer = platform.delete("/api/pages?url=" + URLEncoder.encode(site.url("/#x"), UTF_8));

    assertThat(answer.statusCode()).isEqualTo(202);
    platform.awaitFound("spinnakers", 0);
  }

  @Test
  void keepsPagesAsBatchesAndAnnouncesEach() throws Exception { // C5.7
    var links = new String[59];
    for (int i = 0; i < links.length; i++) {
      links[i] = "/" + i;
      site.page("/" + i, html("kept page " + i));
    }
    site.page("/", html("kept root", links));

    var id = platform.crawl(site.url("/"), "\"maxPages\":100,\"project\":\"proj-1\"");
    platform.awaitEnd(id);

    try (var strangers = new PlainClients(platform);
        var blobs = new ObjectStore(platform.section(S3Config.class))) {
      var events = new ArrayList<JsonNode>();
      await()
          .until(() -> {
            var message = strangers.awaitMessage("analytics.data.collected");
            var event = Json.parse(message.getBody());
            if (event.at("/payload/job_id").asString("").equals(id)) events.add(event);
            return events.size() == 2;
          });
      var keys =
          blobs.list("crawl-results", "web/proj-1/" + id + "/").stream()
              .map(object -> object.key())
              .toList();
      assertThat(keys)
          .containsExactly(
              "web/proj-1/" + id + "/batch_000.json", "web/proj-1/" + id + "/batch_001.json");
      var count = 0;
      for (var event : events) {
        var payload = event.get("payload");
        var path = payload.get("minio_path").stringValue();
        assertThat(event.get("event_type").stringValue()).isEqualTo("data.collected");
        assertThat(path).startsWith("crawl-results/web/proj-1/" + id);
        try (var object = blobs.open("crawl-results", path.substring("crawl-results/".length()))) {
          var items = Json.parse(object.readAllBytes());
          assertThat(items.size()).isEqualTo(payload.get("content_count").intValue());
          assertThat(items.at("/0/content/text").stringValue()).contains("kept");
          count += items.size();
        }
      }
      assertThat(count).isEqualTo(60);
    }
  }
}

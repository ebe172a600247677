package io.tidemill.crawl.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.OutgoingMessage;
import io.tidemill.contract.page.PageCodec;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.contract.page.PageNames;
import io.tidemill.json.Json;
import io.tidemill.processor.input.SearchSource;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.query.PageSearch;
import io.tidemill.support.CrawlPlatform;
import io.tidemill.support.FakeLlm;
import io.tidemill.support.RecordedCall;
import io.tidemill.support.TestEmbedder;
import io.tidemill.support.TestSite;
import io.tidemill.worker.ai.RagConfig;
import io.tidemill.worker.ai.RagHandler;
import java.net.URLEncoder;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Pages of a host for which upper and lower case are different, from the crawl to whoever opens
/// them (C4.4).
class FetchedUrlIT {
  private static final String PATH = "/Docs/GeoTopo-komprimiert.html";
  private static CrawlPlatform platform;
  private TestSite site;

  @BeforeAll
  static void start() {
    platform = CrawlPlatform.whole("crawler.seen-ttl=1ms");
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

  private static String html(String head, String text, String link) {
    return "<html><head>%s<title>Page</title></head><body><p>%s</p><a href=\"%s\">on</a></body></html>"
        .formatted(head, text, link);
  }

  private static JsonNode page(String url) {
    return platform.get("/api/pages?url=" + URLEncoder.encode(url, UTF_8));
  }

  private PageSearch pages() {
    return new PageSearch(
        platform.indexFolder(),
        platform.section(SearchConfig.class),
        InstantSource.system(),
        TestEmbedder.shared());
  }

  @Test
  void aHitLeadsToThePageAsItWasFetched() {
    site.page("/", html("", "Start", PATH));
    site.page(PATH, html("", "Differentiable manifolds and Laplace", "/"));

    var crawl = platform.crawled(site.url("/"), "\"maxPages\":5");
    var hit = platform.awaitFound("manifolds laplace", 1).at("/hits/0");

    assertThat(hit.get("url").stringValue()).isEqualTo(site.url(PATH));
    assertThat(hit.get("identity").stringValue())
        .isEqualTo(site.url(PATH).toLowerCase(Locale.ROOT));
    for (var name : new String[] {site.url(PATH), site.url(PATH).toLowerCase(Locale.ROOT)}) {
      assertThat(page(name).path("url").asString()).as(name).isEqualTo(site.url(PATH));
    }
    assertThat(platform.pages(crawl.get("id").stringValue()))
        .extracting(line -> line.get("url").stringValue())
        .containsExactlyInAnyOrder(site.url("/"), site.url(PATH));
  }

  @Test
  void thePageIsFetchedAgainByItsHit() {
    site.page(PATH, html("", "Homology of spheres", "/"));
    platform.crawled(site.url(PATH));
    var hit = platform.awaitFound("homology spheres", 1).at("/hits/0");

    site.page(PATH, html("", "Homology of tori", "/"));
    var again = platform.crawled(hit.get("url").stringValue(), "\"recrawl\":true");

    assertThat(again.get("status").stringValue()).isEqualTo("completed");
    platform.awaitFound("homology tori", 1);
  }

  @Test
  void aPageIsShownByItsCanonicalUrlAsItIsSpelled() {
    site.page("/Shown?Part=1", html(canonical("/Canonical#top"), "Cohomology of knots", "/"));
    platform.crawled(site.url("/Shown?Part=1"));

    var hit = platform.awaitFound("cohomology knots", 1).at("/hits/0");
    var url = hit.get("url").stringValue();

    assertThat(url).isEqualTo(site.url("/Canonical"));
    assertThat(hit.get("identity").stringValue()).isEqualTo(site.url("/canonical"));
    assertThat(page(url).path("url").asString()).isEqualTo(url);
    platform.delete("/api/pages?url=" + URLEncoder.encode(url, UTF_8));
    platform.awaitFound("cohomology knots", 0);
  }

  @Test
  void aCanonicalUrlThatDiffersInItsCaseOnlyIsNotTrusted() {
    site.page(PATH, html(canonical(PATH.toLowerCase(Locale.ROOT)), "Braids and strands", "/"));
    platform.crawled(site.url(PATH));

    var hit = platform.awaitFound("braids strands", 1).at("/hits/0");

    assertThat(hit.get("url").stringValue()).isEqualTo(site.url(PATH));
  }

  private static String canonical(String path) {
    return "<link rel=\"canonical\" href=\"%s\">".formatted(path);
  }

  @Test
  void anAnswerCitesThePageAsItWasFetched() throws Exception {
    site.page(PATH, html("", "The moon attracts the water of the sea twice a day.", "/"));
    platform.crawled(site.url(PATH));
    platform.awaitFound("moon attracts", 1);

    try (var pages = pages();
        var server = new FakeLlm();
        var model = server.model("llm.url=")) {
      var rag = new RagHandler(() -> pages, TestEmbedder.shared(), model, new RagConfig(0.3, 5));
      var result = rag.handle(new RecordedCall("{\"question\":\"What does the moon attract?\"}"));

      assertThat(result.at("/citations/0/url").asString()).isEqualTo(site.url(PATH));
    }
  }

  @Test
  void anExportHasThePageAsItWasFetched() throws Exception {
    site.page(PATH, html("", "Fibre bundles over circles", "/"));
    platform.crawled(site.url(PATH));
    platform.awaitFound("fibre bundles", 1);

    try (var pages = pages()) {
      var source = new SearchSource(pages, platform.section(SearchConfig.class));
      var input = Json.object().put("search", "fibre bundles").put("text", true);
      try (var records = source.records(input.get("search"), input).open()) {
        var record = records.next();

        assertThat(record).isNotNull();
        assertThat(record.path("url").asString()).isEqualTo(site.url(PATH));
        assertThat(record.path("text").asString()).contains("Fibre bundles");
      }
    }
  }

  @Test
  void aPageOfAForeignCrawlerIsShownByTheOnlyUrlThatItSent() {
    var url = "http://foreign.example/plain";
    var page = new PageMessage(url, "simplicial complexes", "Page", "", Instant.EPOCH, 200);
    var message =
        new OutgoingMessage(
            "",
            PageNames.QUEUE,
            PageCodec.encode(page),
            Map.of(),
            null,
            PageNames.CONTENT_TYPE,
            null);
    try (var publisher =
        new AmqpPublisher(platform.section(AmqpConfig.class), new SimpleMeterRegistry())) {
      publisher.publish(message);
    }

    var hit = platform.awaitFound("simplicial complexes", 1).at("/hits/0");

    assertThat(hit.get("url").stringValue()).isEqualTo(url);
    assertThat(hit.get("identity").stringValue()).isEqualTo(url);
  }
}

package io.tidemill.gateway.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.config.Settings;
import io.tidemill.content.url.WebUrl;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.json.Json;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.search.PageChange;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.query.PageSearch;
import io.tidemill.search.query.SamplePageDocuments;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SearchRoutesIT {
  private final List<String> removed = new ArrayList<>();
  private final Metrics metrics = new Metrics();
  private final HttpClient client = HttpClient.newHttpClient();
  private PageSearch pages;
  private HttpServer server;

  @BeforeAll
  void start(@TempDir Path dir) {
    var clock = InstantSource.system();
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("http.port", "0"),
            List.of(HttpConfig.class, ApiConfig.class, ObserveConfig.class, SearchConfig.class));
    var config = settings.section(SearchConfig.class);
    try (var index = new LuceneIndex(dir, config, clock)) {
      index.apply(
          List.of(
              put("https://example.org/mill", "Tide <b>mill</b>", "The mill & the tide."),
              put("https://www.example.org/sea", "The sea", "Ships on the sea.")));
    }
    pages = new PageSearch(dir, config, clock);
    server =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            List.of(
                new SearchRoutes(pages, config),
                new PageRoutes(pages, removed::add, url -> WebUrl.parse(url).map(WebUrl::href))),
            metrics,
            new Traces(settings.section(ObserveConfig.class)),
            clock);
    server.start();
  }

  private static PageChange put(String url, String title, String main) {
    return new PageChange.Put(SamplePageDocuments.page(url, title, main));
  }

  @AfterAll
  void stop() {
    server.stop();
    pages.close();
    metrics.close();
    client.close();
  }

  @Test
  void answersASearch() throws Exception { // C4.7
    var answer = json(get("/api/search?q=mill&explain=true"));

    assertThat(answer.get("total").intValue()).isEqualTo(1);
    assertThat(answer.get("page").intValue()).isEqualTo(1);
    assertThat(answer.get("size").intValue()).isEqualTo(10);
    assertThat(answer.has("tookMs")).isTrue();
    assertThat(answer.has("timedOut")).isFalse();
    var hit = answer.get("hits").get(0);
    assertThat(hit.propertyNames())
        .containsExactly(
            "url",
            "identity",
            "title",
            "titleHighlighted",
            "snippet",
            "score",
            "site",
            "language",
            "type",
            "crawlId",
            "fetchedAt",
            "publishedAt",
            "contentHash",
            "messageId",
            "statusCode",
            "explanation");
    assertThat(hit.get("title").stringValue()).isEqualTo("Tide <b>mill</b>");
    assertThat(hit.get("titleHighlighted").stringValue())
        .isEqualTo("Tide &lt;b&gt;<em>mill</em>&lt;/b&gt;");
    assertThat(hit.get("snippet").stringValue()).isEqualTo("The <em>mill</em> &amp; the tide.");
    assertThat(hit.get("fetchedAt").stringValue()).isEqualTo("2026-01-04T01:09:27.123Z");
    assertThat(hit.get("publishedAt").isNull()).isTrue();
    assertThat(hit.get("explanation").get(0).stringValue()).startsWith("matches \"mill\" in the");
    assertThat(answer.get("facets").propertyNames())
        .containsExactly("site", "language", "type", "date");
  }

  @Test
  void filtersAndPages() throws Exception {
    assertThat(json(get("/api/search?q=&site=www.example.org")).get("total").intValue())
        .isEqualTo(1);
    assertThat(json(get("/api/search?q=the&to=2026-01-03")).get("total").intValue()).isZero();
    assertThat(json(get("/api/search?q=the&from=2026-01-04&to=2026-01-04")).get("total").intValue())
        .isEqualTo(2);
    var second = json(get("/api/search?q=&page=2&size=1&sort=newest"));
    assertThat(second.get("hits").size()).isEqualTo(1);
  }

  @Test
  void namesTheParameterThatIsWrong() throws Exception {
    for (var wrong :
        List.of(
            "page=0",
            "size=101",
            "size=x",
            "sort=best",
            "from=yesterday",
            "explain=1",
            "page=1001&size=10",
            "q=" + "x".repeat(1_001))) {
      var response = get("/api/search?" + wrong);
      assertThat(response.statusCode()).as(wrong).isEqualTo(422);
      var problem = json(response);
      var name = wrong.substring(0, wrong.indexOf('='));
      assertThat(problem.get("parameter").stringValue()).isEqualTo(name);
      assertThat(problem.get("detail").stringValue()).startsWith(name + " must be ");
    }
  }

  @Test
  void suggests() throws Exception {
    assertThat(json(get("/api/suggest?q=th")).get("suggestions").get(0).stringValue())
        .isEqualTo("The sea");
    assertThat(get("/api/suggest?q=th&size=0").statusCode()).isEqualTo(422);
    assertThat(json(get("/api/suggest")).get("suggestions").size()).isZero();
  }

  @Test
  void showsOnePageWithItsText() throws Exception {
    var page = json(get("/api/pages?url=" + encode("https://example.org/mill")));

    assertThat(page.get("text").stringValue()).isEqualTo("The mill & the tide.");
    assertThat(get("/api/pages?url=" + encode("https://example.org/none")).statusCode())
        .isEqualTo(404);
    assertThat(get("/api/pages?url=nothing").statusCode()).isEqualTo(422);
    assertThat(get("/api/pages").statusCode()).isEqualTo(422);
  }

  @Test
  void passesTheWishToRemoveAPageOn() throws Exception {
    var response = send("DELETE", "/api/pages?url=" + encode("https://example.org/sea"));

    assertThat(response.statusCode()).isEqualTo(202);
    assertThat(removed).containsExactly("https://example.org/sea");
    assertThat(send("DELETE", "/api/pages?url=ftp%3A%2F%2Fx").statusCode()).isEqualTo(422);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", path);
  }

  private HttpResponse<String> send(String method, String path) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(server.url() + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static JsonNode json(HttpResponse<String> response) {
    return Json.parse(response.body());
  }
}

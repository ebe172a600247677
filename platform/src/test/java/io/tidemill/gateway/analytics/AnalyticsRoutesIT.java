package io.tidemill.gateway.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.CollectedBatch;
import io.tidemill.analytics.CollectedItem;
import io.tidemill.analytics.ItemFailure;
import io.tidemill.config.Settings;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.Routes;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.json.Json;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.sql.AnalyticsConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// `/api/analytics/…` over real HTTP (C5.8).
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnalyticsRoutesIT {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");

  private final Metrics metrics = new Metrics();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<HttpServer> servers = new ArrayList<>();
  private Analytics analytics;
  private HttpServer server;

  @BeforeAll
  void start(@TempDir Path dir) {
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("http.port", "0", "analytics.memory", "128MiB"),
            List.of(HttpConfig.class, ApiConfig.class, ObserveConfig.class, AnalyticsConfig.class));
    analytics =
        new Analytics(settings.section(AnalyticsConfig.class), dir, InstantSource.fixed(NOW));
    fill();
    server = server(settings, new AnalyticsRoutes(analytics, null));
  }

  private HttpServer server(Settings settings, Routes routes) {
    var made =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            List.of(routes),
            metrics,
            new Traces(settings.section(ObserveConfig.class)),
            InstantSource.fixed(NOW));
    made.start();
    servers.add(made);
    return made;
  }

  private void fill() {
    var batch =
        new CollectedBatch(
            "k", "e", "event", "evt", "a b/c", "job", "tiktok", 0, "b", "p", 31, NOW);
    try (var writer = analytics.batches().begin(batch)) {
      writer.add(item("=1+1", "tiktok", "\"quoted\", and\nbroken", 0.5));
      for (var n = 0; n < 29; n++) writer.add(item("id" + n, "youtube", "text " + n, null));
      writer.fail(
          new ItemFailure("a b/c", "tiktok", 30, "x", "", "CONTENT_REMOVED", "content", "gone"));
      writer.commit();
    }
  }

  private static CollectedItem item(
      String id, String platform, String text, @Nullable Double sentiment) {
    return new CollectedItem(
        "a b/c",
        platform,
        id,
        0,
        "https://t.example/" + id,
        "",
        text,
        new CollectedItem.Author("a", "Ann", 10, true),
        new CollectedItem.Reactions(1_000, 20, 3, 2, 1),
        new CollectedItem.Findings(
            sentiment == null ? "vi" : "en",
            sentiment,
            List.of(new CollectedItem.Keyword("car", 1.0)),
            id.length(),
            0),
        NOW);
  }

  @AfterAll
  void stop() {
    servers.forEach(HttpServer::stop);
    analytics.close();
    metrics.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return get(server, path, "GET");
  }

  private HttpResponse<String> get(HttpServer from, String path, String method) throws Exception {
    var uri = URI.create("http://127.0.0.1:" + from.port() + "/api/analytics/projects" + path);
    var request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private JsonNode json(String path) throws Exception {
    var answer = get(path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.parse(answer.body());
  }

  @Test
  void projectsAreListed() throws Exception {
    assertThat(json(""))
        .hasToString(
            """
            {"projects":[{"project":"a b/c","totals":{"items":30,"batches":1,"failed":1},"latest":"2026-01-04T01:09:27.000Z"}]}\
            """);
    assertThat(json("?after=b").path("projects").isEmpty()).isTrue();
    assertThat(json("?limit=1").path("next").asString()).isEqualTo("a b/c");
  }

  @Test
  void aProjectIsShownWhole() throws Exception {
    var project = json("/a%20b%2Fc?items=2");

    assertThat(project.path("totals")).hasToString("{\"items\":30,\"batches\":1,\"failed\":1}");
    assertThat(project.path("platforms"))
        .hasToString(
            """
            [{"platform":"youtube","items":29,"sentiment":null,"positive":0,"neutral":0,"negative":0},\
            {"platform":"tiktok","items":1,"sentiment":0.5,"positive":1,"neutral":0,"negative":0}]\
            """);
    assertThat(project.path("sentiment"))
        .hasToString(
            """
            [{"at":"2026-01-04T00:00:00.000Z","items":30,"sentiment":0.5,"positive":1,"neutral":0,"negative":0}]\
            """);
    assertThat(project.path("keywords"))
        .hasToString("[{\"keyword\":\"car\",\"items\":30,\"score\":1.0,\"sentiment\":0.5}]");
    assertThat(project.path("items").size()).isEqualTo(2);
    assertThat(project.path("failures"))
        .hasToString("[{\"code\":\"CONTENT_REMOVED\",\"category\":\"content\",\"items\":1}]");
    assertThat(get("/nobody").statusCode()).isEqualTo(404);
  }

  @Test
  void itemsComeByPageAndFiltered() throws Exception {
    var first = json("/a%20b%2Fc/items?limit=20&platform=youtube");
    assertThat(first.path("items").size()).isEqualTo(20);
    var rest =
        json("/a%20b%2Fc/items?limit=20&platform=youtube&after=" + first.path("next").asString());
    assertThat(rest.path("items").size()).isEqualTo(9);
    assertThat(rest.has("next")).isFalse();
    assertThat(json("/a%20b%2Fc/items?sentiment=positive").at("/items/0/id").asString())
        .isEqualTo("=1+1");
    assertThat(json("/a%20b%2Fc/items?to=2026-01-03").path("items").isEmpty()).isTrue();
    assertThat(json("/a%20b%2Fc/failures").at("/failures/0/message").asString()).isEqualTo("gone");
  }

  @Test
  void allItemsAreOneFile() throws Exception {
    var csv = get("/a%20b%2Fc/items?format=csv&sort=newest");
    assertThat(csv.headers().firstValue("Content-Disposition"))
        .contains("attachment; filename=\"a_b_c-items.csv\"");
    assertThat(csv.headers().firstValue("Content-Type")).contains("text/csv; charset=utf-8");
    assertThat(csv.body())
        .startsWith("id,platform,job,url,title,text,")
        .contains(
            "\r\n'=1+1,tiktok,job,https://t.example/=1+1,,\"\"\"quoted\"\", and\nbroken\",Ann");
    assertThat(csv.body().split("\r\n")).hasSize(31);

    var lines = get("/a%20b%2Fc/items?format=ndjson").body().split("\n");
    assertThat(lines).hasSize(30);
    assertThat(Json.parse(lines[29]).has("engagement")).isTrue();

    var head = get(server, "/a%20b%2Fc/items?format=csv", "HEAD");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?format=json", "?format=csv", "?format=ndjson"})
  void aProjectThatNobodyKnowsHasNoItems(String format) throws Exception {
    var answer = get("/nobody/items" + format);

    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).contains("there is no such project");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?limit=0|limit must be a whole number from 1 to 1000|limit",
        "/p?interval=year|interval must be hour or day or week or month|interval",
        "/p/items?sort=size|sort must be impact or newest or views or likes|sort",
        "/p/items?after=x|after must be the next of an earlier answer with the same sort|after",
        "/p/items?sentiment=sad|sentiment must be positive or neutral or negative or unknown|sentiment",
        "/p/items?format=xml|format must be json or csv or ndjson|format",
        "/p/items?from=%2B99999-01-01T00:00:00Z|from must be a date from year 1 to year 9999|from",
        "/p/items?from=soon|from must be a date such as 2026-01-04 or 2026-01-04T01:09:27Z|from",
      })
  void aWrongParameterIsNamed(String path, String detail, String parameter) throws Exception {
    var answer = get(path);

    assertThat(answer.statusCode()).isEqualTo(422);
    var problem = Json.parse(answer.body());
    assertThat(problem.path("detail").asString()).isEqualTo(detail);
    assertThat(problem.path("parameter").asString()).isEqualTo(parameter);
  }

  @Test
  void aGatewayWithoutTheDatabaseSaysSo() throws Exception {
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("http.port", "0"),
            List.of(HttpConfig.class, ApiConfig.class, ObserveConfig.class));
    var other = server(settings, new AnalyticsRoutes(null, null));
    var answer = get(other, "", "GET");

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("set analytics.url to a PostgreSQL database");
    assertThat(get(server, "/a%20b%2Fc/report", "POST").body()).contains("reports need Kafka");
  }
}

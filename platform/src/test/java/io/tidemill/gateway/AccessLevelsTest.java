package io.tidemill.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.config.Settings;
import io.tidemill.http.Access;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.Route;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.json.Json;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Every route of the product, and who is kept out of it.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessLevelsTest {
  /// Whatever else is open must be added here, knowingly.
  private static final Set<String> OPEN =
      Set.of(
          "GET /health/live",
          "GET /health/ready",
          "GET /openapi.json",
          "GET /contracts/",
          "GET /contracts/{name}",
          "GET /contracts/streamops/{name}",
          "GET /api/session",
          "POST /api/session",
          "DELETE /api/session");

  /// Routes that only read, though their method does not say so.
  private static final Set<String> READING = Set.of("POST /mcp", "POST /api/dead/{id}/check");

  private final Metrics metrics = new Metrics();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Route> routes = OpenApiTest.all();
  private final HttpServer keyed = server("viewer:kim:one,operator:bob:two,admin:alice:three");
  private final HttpServer readOnly = server("admin:alice:three", "api.read-only", "true");

  @BeforeAll
  void start() {
    keyed.start();
    readOnly.start();
  }

  @AfterAll
  void stop() {
    keyed.stop();
    readOnly.stop();
    client.close();
    metrics.close();
  }

  @Test
  void onlyTheseAreOpen() {
    assertThat(names(Access.OPEN)).isEqualTo(OPEN);
  }

  @Test
  void viewersChangeNothing() throws Exception {
    for (var route : routes) {
      if (route.method().equals("GET") || OPEN.contains(name(route))) continue;
      if (READING.contains(name(route))) continue;
      var answer = send(keyed, route, "one");
      assertThat(answer.statusCode()).as(name(route)).isEqualTo(403);
      assertThat(Json.parse(answer.body()).get("needs").stringValue())
          .isEqualTo(route.access().wire());
    }
  }

  @Test
  void refusesCallsWithoutAKey() throws Exception {
    for (var route : routes) {
      if (OPEN.contains(name(route))) continue;
      assertThat(send(keyed, route, "").statusCode()).as(name(route)).isEqualTo(401);
    }
  }

  @Test
  void operatorsDoNotSeeTheAuditTrail() throws Exception {
    assertThat(names(Access.ADMIN)).contains("GET /api/audit");
    for (var route : routes) {
      if (route.access() != Access.ADMIN) continue;
      assertThat(send(keyed, route, "two").statusCode()).as(name(route)).isEqualTo(403);
    }
  }

  @Test
  void nothingChangesWhereAllIsReadOnly() throws Exception {
    for (var route : routes) {
      if (route.method().equals("GET") || OPEN.contains(name(route))) continue;
      if (READING.contains(name(route))) continue;
      var answer = send(readOnly, route, "three");
      assertThat(answer.statusCode()).as(name(route)).isEqualTo(403);
      assertThat(answer.body()).as(name(route)).contains("api.read-only", "\"readOnly\":true");
    }
  }

  private Set<String> names(Access access) {
    return routes.stream()
        .filter(route -> route.access() == access)
        .map(AccessLevelsTest::name)
        .collect(Collectors.toSet());
  }

  private static String name(Route route) {
    return route.method() + " " + route.path();
  }

  private HttpServer server(String keys, String... more) {
    var overrides = new java.util.HashMap<>(Map.of("api.keys", keys, "http.port", "0"));
    if (more.length > 0) overrides.put(more[0], more[1]);
    var settings =
        Settings.load(
            null,
            Map.of(),
            overrides,
            List.of(ApiConfig.class, HttpConfig.class, ObserveConfig.class));
    return new HttpServer(
        settings.section(HttpConfig.class),
        settings.section(ApiConfig.class),
        List.of(() -> routes),
        metrics,
        new Traces(settings.section(ObserveConfig.class)),
        InstantSource.system());
  }

  private HttpResponse<String> send(HttpServer to, Route route, String key) throws Exception {
    var path = route.path().replaceAll("\\{[^}]+}", "x");
    var request =
        HttpRequest.newBuilder(URI.create(to.url() + path))
            .method(route.method(), BodyPublishers.noBody());
    if (!key.isEmpty()) request.header("X-Api-Key", key);
    return client.send(request.build(), BodyHandlers.ofString());
  }
}

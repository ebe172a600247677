package io.tidemill.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.gateway.ContractRoutes;
import io.tidemill.http.BasePath;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.RunningServer;
import io.tidemill.json.Json;
import io.tidemill.support.Nginx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The gateway and its dashboard under a path of a real nginx.
class BasePathIT {
  private static final String KEY = "a key that is long enough";
  private static final Pattern FILE = Pattern.compile("(?:src|href)=\"([^\"]+)\"");

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void everythingWorksUnderThePathThatNginxKeeps(@TempDir Path folder) throws Exception {
    works(folder, Nginx::underPath);
  }

  @Test
  void everythingWorksUnderThePathThatNginxRemoves(@TempDir Path folder) throws Exception {
    works(folder, Nginx::removingPath);
  }

  private interface Proxy {
    Nginx start(int upstream, Path folder) throws IOException;
  }

  private void works(Path folder, Proxy proxy) throws Exception {
    var path = "/tidemill";
    try (var server = server(path);
        var nginx = proxy.start(server.server.port(), folder)) {
      var root = URI.create(nginx.url() + path + "/");

      var page = get(root, "");
      assertThat(page.statusCode()).isEqualTo(200);
      var files = FILE.matcher(page.body()).results().map(found -> found.group(1)).toList();
      assertThat(files).hasSizeGreaterThan(20).allMatch(file -> file.startsWith(path + "/ui/"));
      for (var file : files) assertThat(get(root.resolve(file), "").statusCode()).isEqualTo(200);
      for (var file : imports(page.body())) {
        assertThat(get(root.resolve(file), "").statusCode()).as(file).isEqualTo(200);
      }
      assertThat(Json.parse(get(root.resolve("openapi.json"), "").body()).at("/servers/0/url"))
          .hasToString("\"" + path + "\"");

      assertThat(get(root.resolve("api/events"), "").statusCode()).isEqualTo(401);
      var cookie = signIn(root, nginx.url()).headers().firstValue("Set-Cookie").orElseThrow();
      assertThat(cookie).contains("; Path=" + path + ";");
      var session = cookie.substring(0, cookie.indexOf(';'));
      assertThat(get(root.resolve("api/events"), session).body()).contains("data: one");
      assertThat(get(root.resolve("api/made"), session).headers().firstValue("Location"))
          .contains(path + "/api/made/1");
    }
  }

  private static RunningServer server(String path) {
    var base = new BasePath(path);
    var routes =
        Stream.of(
                new AssetRoutes(base).routes(),
                new ContractRoutes("1", base).routes(),
                List.of(
                    Route.get(
                        "/api/events", _ -> Response.events(out -> out.event("1", "tick", "one"))),
                    Route.get(
                        "/api/made",
                        _ -> Response.noContent().withHeader("Location", "/api/made/1"))))
            .flatMap(List::stream)
            .toArray(Route[]::new);
    return RunningServer.with(
        RunningServer.under(path),
        RunningServer.api(List.of("viewer:wall:" + KEY)),
        InstantSource.system(),
        routes);
  }

  private static List<String> imports(String page) {
    var start = page.indexOf("{\"imports\":");
    var map = Json.parse(page.substring(start, page.indexOf("</script>", start)));
    return map.path("imports").valueStream().map(each -> each.asString("")).toList();
  }

  private HttpResponse<String> get(URI uri, String cookie) throws Exception {
    var request = HttpRequest.newBuilder(uri);
    if (!cookie.isEmpty()) request.header("Cookie", cookie);
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> signIn(URI root, String origin) throws Exception {
    var request =
        HttpRequest.newBuilder(root.resolve("api/session"))
            .header("Origin", origin)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"key\":\"" + KEY + "\"}"));
    return client.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void refusesPathsThatCanNotWork() {
    for (var path : List.of("tidemill", "/tidemill/", "/a//b", "/..", "/a b", "/api", "/ui/x")) {
      assertThatThrownBy(() -> RunningServer.under(path))
          .as(path)
          .hasMessageStartingWith("http.base-path is " + path);
    }
    assertThat(RunningServer.under("/a/b.c").basePath()).isEqualTo("/a/b.c");
  }

  @Test
  void leavesPathsThatOnlyBeginLikeIt() {
    var base = new BasePath("/tide");

    assertThat(base.strip("/tide")).isEqualTo("/");
    assertThat(base.strip("/tide/v1/jobs")).isEqualTo("/v1/jobs");
    assertThat(base.strip("/tidemill/v1")).isEqualTo("/tidemill/v1");
  }
}

package io.tidemill.processor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// Reports by `PATCH /internal/workflows/{id}` and `/internal/tasks/{id}` (C2.4).
final class ReportClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  /// The longest that one report takes.
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final URI base;
  private final String key;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1) // no offer of HTTP/2, which some servers refuse
          .connectTimeout(CONNECT)
          .build();

  /// @param key empty: none is sent
  ReportClient(String url, String key) {
    base = base(url);
    this.key = key;
  }

  /// @throws IllegalArgumentException without the value, which may hold a secret
  static URI base(String url) {
    try {
      var uri = URI.create(url.replaceFirst("/+$", ""));
      var isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      var isBase = uri.getRawQuery() == null && uri.getRawFragment() == null;
      if (isHttp && isBase && uri.getHost() != null && uri.getRawUserInfo() == null) return uri;
    } catch (IllegalArgumentException notAUrl) {
      // Fails below.
    }
    throw new IllegalArgumentException(
        "processor.report-url can't be used: expected the base URL of a gateway, such as"
            + " http://gateway:3000 (a key goes into processor.report-key)");
  }

  /// @return the status of the answer
  int patch(ExecutionKind kind, String id, ObjectNode body)
      throws IOException, InterruptedException {
    return http.send(request(kind, id, body), BodyHandlers.discarding()).statusCode();
  }

  private HttpRequest request(ExecutionKind kind, String id, ObjectNode body) {
    var segment = URLEncoder.encode(id, UTF_8).replace("+", "%20");
    var request =
        HttpRequest.newBuilder(URI.create(base + "/internal/" + kind.topic() + "/" + segment))
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .method("PATCH", BodyPublishers.ofByteArray(Json.bytes(body)));
    if (!key.isEmpty()) request.header("Authorization", "Bearer " + key);
    return request.build();
  }

  /// Ends reports under way: another processor repeats them.
  @Override
  public void close() {
    http.shutdownNow();
  }
}

package io.tidemill.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/// The HTTP interface of a product that runs, for tests that ask it many things.
///
/// @param http its address
record Api(String http) {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Duration OFTEN = Duration.ofMillis(50);

  HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(URI.create(http + path)).build());
  }

  JsonNode json(String path) {
    var answer = get(path);
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(200);
    return Json.parse(answer.body());
  }

  HttpResponse<String> delete(String path) {
    return send(HttpRequest.newBuilder(URI.create(http + path)).DELETE().build());
  }

  HttpResponse<String> post(String path, String body, Map<String, String> headers) {
    var request =
        HttpRequest.newBuilder(URI.create(http + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return send(request.build());
  }

  /// Asks for something, and returns the path of what was made.
  String submit(String path, String body, Map<String, String> headers) {
    var answer = post(path, body, headers);
    assertThat(answer.statusCode()).as(path + ": " + answer.body()).isEqualTo(202);
    return answer.headers().firstValue("Location").orElseThrow();
  }

  String submit(String path, String body) {
    return submit(path, body, Map.of());
  }

  /// Waits until an answer's value, by its JSON pointer, is this one.
  void await200(String path, String pointer, String value) {
    awaitThat(path, answer -> answer.at(pointer).asString("").equals(value));
  }

  void awaitThat(String path, Predicate<JsonNode> condition) {
    await(path)
        .atMost(Product.PATIENCE)
        .pollInterval(OFTEN)
        .untilAsserted(() -> {
          var answer = json(path);
          assertThat(condition.test(answer)).as(path + ": " + answer).isTrue();
        });
  }

  void awaitStatusCode(String path, int code) {
    await(path)
        .atMost(Product.PATIENCE)
        .pollInterval(OFTEN)
        .untilAsserted(() -> assertThat(get(path).statusCode()).as(path).isEqualTo(code));
  }

  private static HttpResponse<String> send(HttpRequest request) {
    try {
      return CLIENT.send(request, BodyHandlers.ofString());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stop) {
      throw new AssertionError(stop);
    }
  }
}

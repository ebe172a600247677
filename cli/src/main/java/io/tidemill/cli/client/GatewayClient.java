package io.tidemill.cli.client;

import io.tidemill.cli.terminal.CommandFailure;
import io.tidemill.cli.terminal.ExitCode;
import io.tidemill.json.Json;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The gateway's HTTP API. A refusal ends the command with the text of the gateway.
public final class GatewayClient {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

  /// An answer of any status.
  public record Answer(int status, JsonNode body) {
    public boolean isOk() {
      return status / 100 == 2;
    }
  }

  private final URI base;
  private final @Nullable String key;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(CONNECT_LIMIT)
          .build();

  GatewayClient(URI base, @Nullable String key) {
    this.base = base;
    this.key = key;
  }

  /// A gateway's address, without a slash at its end.
  static URI address(String source, String url) {
    try {
      var uri = new URI(url.strip().replaceAll("/+$", ""));
      var scheme = uri.getScheme();
      if (uri.getUserInfo() != null) { // not quoted: it may be a password
        throw CommandFailure.usage(source + " has a name before the host: give a key with --key");
      }
      if (uri.getHost() != null && ("http".equals(scheme) || "https".equals(scheme))) return uri;
    } catch (URISyntaxException notAUrl) {
      // Reported below, like every other text that is no address.
    }
    throw CommandFailure.usage(source + " is '" + url + "': expected an http or https URL");
  }

  public URI base() {
    return base;
  }

  public JsonNode get(String path) {
    return wanted(ask(request(path).GET()));
  }

  public JsonNode post(String path, JsonNode body) {
    return post(path, body, null);
  }

  /// @param idempotencyKey null for none
  public JsonNode post(String path, JsonNode body, @Nullable String idempotencyKey) {
    return wanted(askPost(path, body, idempotencyKey));
  }

  /// Posts; the caller decides what a refusal means.
  public Answer askPost(String path, JsonNode body) {
    return askPost(path, body, null);
  }

  private Answer askPost(String path, JsonNode body, @Nullable String idempotencyKey) {
    var request = request(path).header("Content-Type", "application/json");
    if (idempotencyKey != null) header(request, "Idempotency-Key", idempotencyKey);
    return ask(request.POST(BodyPublishers.ofByteArray(Json.bytes(body))));
  }

  /// Gets; the caller decides what a refusal means.
  public Answer askGet(String path) {
    return ask(request(path).GET());
  }

  public JsonNode delete(String path) {
    return wanted(ask(request(path).DELETE()));
  }

  /// A stream of events under this path.
  EventStreamClient events(String path, EventStreamClient.Listener listener) {
    return new EventStreamClient(http, URI.create(base + path), key, listener);
  }

  /// A value as one segment of a path.
  public static String segment(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private HttpRequest.Builder request(String path) {
    var request = HttpRequest.newBuilder(URI.create(base + path)).timeout(ANSWER_LIMIT);
    request.header("Accept", "application/json");
    if (key != null) header(request, "Authorization", "Bearer " + key);
    return request;
  }

  private static void header(HttpRequest.Builder request, String name, String value) {
    try {
      request.header(name, value);
    } catch (IllegalArgumentException unprintable) {
      throw new CommandFailure(
          ExitCode.USAGE, name + " can't be sent: expected printable ASCII", unprintable);
    }
  }

  private Answer ask(HttpRequest.Builder request) {
    HttpResponse<byte[]> response;
    try {
      response = http.send(request.build(), BodyHandlers.ofByteArray());
    } catch (InterruptedException interrupt) {
      throw CommandFailure.interrupted(interrupt);
    } catch (IOException unreachable) {
      throw unreachable(base, unreachable);
    }
    if (response.statusCode() == 204) return new Answer(204, Json.object());
    try {
      return new Answer(response.statusCode(), Json.parse(response.body()));
    } catch (JacksonException notJson) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "%s answered %d without JSON: is it a Tidemill gateway?"
              .formatted(base, response.statusCode()),
          notJson);
    }
  }

  private JsonNode wanted(Answer answer) {
    if (answer.isOk()) return answer.body();
    throw refused(answer);
  }

  /// The gateway's refusal in its own words.
  public static CommandFailure refused(Answer answer) {
    var words = words(answer.body()).orElse("the gateway answered " + answer.status());
    var advice = answer.status() == 401 ? ": give it with --key or TIDEMILL_API_KEY" : "";
    return new CommandFailure(ExitCode.FAILED, words + advice);
  }

  // With `compat.originals` some refusals are no problem documents.
  private static Optional<String> words(JsonNode body) {
    var detail = body.path("detail");
    var fault = detail.path(0).path("msg"); // of a job's form
    var invalid = body.path("details").path(0).path("message"); // of a workflow's or task's
    return Stream.of(detail, detail.path("message"), fault, invalid, body.path("error"))
        .filter(JsonNode::isString)
        .map(JsonNode::stringValue)
        .findFirst();
  }

  static CommandFailure unreachable(URI where, IOException failure) {
    var why =
        switch (failure) {
          case HttpTimeoutException _ -> "no answer in time";
          case ConnectException _ -> "connection refused";
          default ->
              failure.getMessage() == null
                  ? failure.getClass().getSimpleName()
                  : failure.getMessage();
        };
    return new CommandFailure(
        ExitCode.UNREACHABLE,
        "no gateway at %s://%s (%s): start one with 'tidemill up', or name one with --url"
            .formatted(where.getScheme(), where.getAuthority(), why),
        failure);
  }
}

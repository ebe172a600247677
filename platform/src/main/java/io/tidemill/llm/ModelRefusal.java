package io.tidemill.llm;

import io.tidemill.json.Json;
import io.tidemill.llm.LlmException.Kind;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Turns refusals of a server into messages that name the setting to check and quote the server.
final class ModelRefusal {
  private static final int MAX_QUOTE = 300;
  private static final int MAX_EXCERPT = 80;

  private final LlmConfig config;
  private final String model;

  /// @param model that the request names
  ModelRefusal(LlmConfig config, String model) {
    this.config = config;
    this.model = model;
  }

  /// @param body of the answer, or its beginning
  LlmException of(int status, @Nullable Duration retryAfter, String body) {
    if (isTransient(status)) {
      return LlmException.transientFault(
          Kind.LLM_UNAVAILABLE, host() + " " + answered(status, body), retryAfter);
    }
    var advice =
        switch (status) {
          case 401, 403 -> "does not accept the key; check llm.key";
          case 404 ->
              "has no such path or model; check llm.url and the model '%s'".formatted(model);
          default ->
              status / 100 == 3
                  ? "sends elsewhere, which is not followed; check llm.url"
                  : "refuses the call; check the payload and the model '%s'".formatted(model);
        };
    return LlmException.permanent(
        Kind.LLM_REFUSED, "%s %s (%d)%s".formatted(host(), advice, status, quote(message(body))));
  }

  /// The status and the server's message.
  String answered(int status, String body) {
    return "answered " + status + quote(message(body));
  }

  /// An `error` where an answer was expected, whose code may be a status.
  LlmException of(JsonNode error) {
    var status = error.path("code").asInt(error.path("status").asInt(0));
    var text = error.isString() ? error.stringValue() : error.path("message").asString("");
    if (status >= 400 && !isTransient(status)) return of(status, null, Json.text(error));
    return LlmException.transientFault(
        Kind.LLM_UNAVAILABLE, host() + " broke off with an error" + quote(text));
  }

  /// The body is not the protocol.
  LlmException unreadable(String why, String body) {
    return LlmException.transientFault(
        Kind.LLM_BAD_ANSWER,
        "%s answers what can't be read (%s)%s".formatted(host(), why, quote(body, MAX_EXCERPT)));
  }

  private static boolean isTransient(int status) {
    return status == 408 || status == 425 || status == 429 || status >= 500;
  }

  /// The server, as messages call it.
  String host() {
    return "llm.url (" + URI.create(config.url()).getAuthority() + ")";
  }

  // `{"error":{"message":…}}`, `{"error":…}`, `{"message":…}`, `{"detail":…}`, or just text.
  private static String message(String body) {
    try {
      var tree = Json.parse(body);
      var error = tree.path("error");
      for (var place : new JsonNode[] {error.path("message"), error, tree.path("message")}) {
        if (place.isString()) return place.stringValue();
      }
      var detail = tree.path("detail");
      return detail.isMissingNode() ? "" : detail.asString(Json.text(detail));
    } catch (JacksonException notJson) {
      return body.stripLeading().startsWith("<") ? "" : body;
    }
  }

  /// The server's message after a colon: one line, cut, and without the key, which servers like to
  /// quote.
  String quote(String text) {
    return quote(text, MAX_QUOTE);
  }

  private String quote(String text, int maxLength) {
    var clean = config.key().isEmpty() ? text : text.replace(config.key(), "***");
    clean = clean.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    if (clean.isEmpty()) return "";
    if (clean.codePointCount(0, clean.length()) <= maxLength) return ": " + clean;
    return ": " + clean.substring(0, clean.offsetByCodePoints(0, maxLength)) + "…";
  }
}

package io.tidemill.processor.mail;

import io.tidemill.api.WorkFailure;
import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.FetchResult;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.PostRequest;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.json.Json;
import io.tidemill.processor.record.SafeName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// Posts a summary to a workflow's webhook: to public addresses only (F47), with an idempotency
/// key.
record Webhook(Fetcher fetcher) {
  private static final Pattern HEADER = Pattern.compile("[A-Za-z][A-Za-z0-9-]{0,63}");
  private static final Set<String> OURS =
      Set.of(
          "host",
          "content-length",
          "content-type",
          "transfer-encoding",
          "connection",
          "idempotency-key");
  private static final int MOST_HEADERS = 20;

  ObjectNode call(String id, ObjectNode options, ObjectNode summary)
      throws WorkFailure, InterruptedException {
    var url = url(options);
    var body = summary.deepCopy();
    var data = options.get("data");
    if (data != null) body.set("data", data);
    var headers = headers(options);
    // Foreign ids may contain characters that no header allows.
    headers.put("Idempotency-Key", SafeName.of(id));
    var request = new PostRequest(url, "application/json", Json.bytes(body), Map.copyOf(headers));
    return switch (fetcher.post(request)) {
      case FetchResult.Answer answer -> answered(answer);
      case FetchResult.Failed failed -> throw failure(failed);
    };
  }

  /// Refuses an invalid URL or header.
  static void check(ObjectNode options) throws WorkFailure {
    url(options);
    headers(options);
  }

  private static WebUrl url(ObjectNode options) throws WorkFailure {
    return WebUrl.parse(options.path("url").asString(""))
        .orElseThrow(() -> invalid("webhook.url must be an absolute http or https URL"));
  }

  private static Map<String, String> headers(ObjectNode options) throws WorkFailure {
    var headers = new LinkedHashMap<String, String>();
    var given = options.get("headers");
    if (given == null || given.isNull()) return headers;
    if (!(given instanceof ObjectNode object) || object.size() > MOST_HEADERS) {
      throw invalid("webhook.headers must be an object of at most 20 strings");
    }
    for (var header : object.properties()) {
      var name = header.getKey();
      var value = header.getValue().asString("");
      var isOurs = OURS.contains(name.toLowerCase(java.util.Locale.ROOT));
      if (isOurs || !HEADER.matcher(name).matches() || !PostRequest.isHeaderValue(value)) {
        throw invalid("webhook.headers has a name or value that can't be sent");
      }
      headers.put(name, value);
    }
    return headers;
  }

  private static WorkFailure invalid(String message) {
    return WorkFailure.permanent("INVALID_OPTIONS", message);
  }

  private static ObjectNode answered(FetchResult.Answer answer) throws WorkFailure {
    var status = answer.status();
    if (status / 100 == 2) return Json.object().put("status", status);
    var message = "the webhook answered with status " + status;
    // Timeout, too early, too many requests: a retry may succeed.
    var isPassing = status >= 500 || status == 408 || status == 425 || status == 429;
    throw isPassing
        ? WorkFailure.passing("WEBHOOK_ERROR", message)
        : WorkFailure.permanent("WEBHOOK_REJECTED", message);
  }

  private static WorkFailure failure(FetchResult.Failed failed) throws InterruptedException {
    if (failed.kind() == FetchFailure.INTERRUPTED) throw new InterruptedException(failed.reason());
    var message = "the webhook could not be called: " + failed.reason();
    return failed.kind().isTransient()
        ? WorkFailure.passing("WEBHOOK_ERROR", message)
        : WorkFailure.permanent("WEBHOOK_REJECTED", message);
  }
}

package io.tidemill.llm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/// Checks whether the configured server answers and has the configured model.
public final class ModelProbe {
  /// The state of the server.
  public enum State {
    WELL,
    /// It answers, but the model may be a wrong one.
    DOUBTFUL,
    UNUSABLE
  }

  /// @param what one line on the server's answer
  /// @param advice what to do about it; empty when there is nothing to do
  public record ProbeResult(State state, String what, String advice) {}

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_BODY = 4 * 1024 * 1024;
  private static final int MAX_NAMES = 5;
  private static final String NOT_RUNNING = "check llm.url and that the server runs";

  private final LlmConfig config;
  private final ModelRefusal refusal;

  private ModelProbe(LlmConfig config) {
    this.config = config;
    refusal = new ModelRefusal(config, config.model());
  }

  /// Reads `GET …/models`; `llm.url` must be set.
  public static ProbeResult probe(LlmConfig config) throws InterruptedException {
    return new ModelProbe(config).probe();
  }

  private ProbeResult probe() throws InterruptedException {
    var uri = config.endpoint("/models").orElseThrow();
    var request = HttpRequest.newBuilder(uri).GET();
    ModelCall.authorise(request, config);
    var http = LanguageModel.client(config);
    try {
      var body = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY);
      // The timeout of a request does not cover its body.
      return judge(
          http.sendAsync(request.build(), body).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException late) {
      return unusable("no answer within " + TIMEOUT.toSeconds() + " s", NOT_RUNNING);
    } catch (ExecutionException failed) {
      return unusable("not reachable: nobody answers at " + uri.getAuthority(), NOT_RUNNING);
    } finally {
      http.shutdownNow();
    }
  }

  private ProbeResult judge(HttpResponse<byte[]> answer) {
    var status = answer.statusCode();
    if (status != 200) {
      return unusable(refusal.answered(status, new String(answer.body(), UTF_8)), advice(status));
    }
    try {
      var models = Json.parse(answer.body()).path("data").valueStream();
      return judge(models.map(model -> model.path("id").asString("")).toList());
    } catch (JacksonException notJson) {
      return unusable("answers, but not with JSON", notTheBase());
    }
  }

  private String advice(int status) {
    return switch (status) {
      case 401, 403 -> "check llm.key";
      case 404 -> notTheBase();
      default -> status < 500 ? "check llm.url" : "look what ails the server";
    };
  }

  private String notTheBase() {
    return config.url().replaceFirst("/+$", "").endsWith("/v1")
        ? "check that llm.url is the base of the API"
        : "does llm.url lack /v1?";
  }

  private ProbeResult judge(List<String> models) {
    var model = config.model();
    var what = "answers with " + (models.size() == 1 ? "1 model" : models.size() + " models");
    if (model.isEmpty()) return doubtful(what + "; llm.model is not set", models);
    // Ollama lists the tag that may be left out.
    var isKnown = models.contains(model) || models.contains(model + ":latest");
    return isKnown
        ? new ProbeResult(State.WELL, what + ", " + model + " among them", "")
        : doubtful(what + ", " + model + " is not among them", models);
  }

  private ProbeResult doubtful(String what, List<String> models) {
    var names = models.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
    return new ProbeResult(
        State.DOUBTFUL, what, "set llm.model to one that the server has" + refusal.quote(names));
  }

  private static ProbeResult unusable(String what, String advice) {
    return new ProbeResult(State.UNUSABLE, what, advice);
  }
}

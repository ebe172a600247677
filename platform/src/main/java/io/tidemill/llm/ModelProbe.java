package io.tidemill.llm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.Json;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Looks whether the configured server answers and knows the configured model.
public final class ModelProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST = 4 * 1024 * 1024;

  private ModelProbe() {}

  /// One line on what `GET …/models` says.
  ///
  /// @throws IOException when the server does not answer, or not so that it could be asked
  public static String look(LlmConfig config) throws IOException, InterruptedException {
    var uri = config.endpoint("/models").orElseThrow();
    var request = HttpRequest.newBuilder(uri).GET();
    ModelCall.authorise(request, config);
    var http = LanguageModel.client(config);
    try {
      var body = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST);
      // A request's own timeout would not hold for the body.
      var answer =
          http.sendAsync(request.build(), body).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (answer.statusCode() != 200) {
        var refusal = new Refusal(config, config.model());
        throw new IOException(
            refusal.of(answer.statusCode(), null, new String(answer.body(), UTF_8)).getMessage());
      }
      return describe(config, Json.parse(answer.body()).path("data"));
    } catch (JacksonException notJson) {
      throw new IOException("it answers, but not with JSON: is it the base of the API?", notJson);
    } catch (TimeoutException late) {
      throw new IOException("no answer within " + PATIENCE.toSeconds() + " s", late);
    } catch (ExecutionException failed) {
      throw new IOException("nobody answers at " + uri.getAuthority(), failed);
    } finally {
      http.shutdownNow();
    }
  }

  private static String describe(LlmConfig config, JsonNode models) {
    if (config.model().isEmpty()) {
      return "answers with %d models; llm.model names none of them yet".formatted(models.size());
    }
    var isKnown =
        models
            .valueStream()
            .anyMatch(model -> model.path("id").asString("").equals(config.model()));
    return "answers with %d models, %s%s"
        .formatted(models.size(), config.model(), isKnown ? " among them" : " is not among them");
  }
}

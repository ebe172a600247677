package io.tidemill.llm;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.llm.LlmException.Kind;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.work.Backoff;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Asks the model at `llm.url` and streams its answer (C3.11).
///
/// Transient failures are retried, bounded in tries and time; refusals are not. An interrupt closes
/// the connection at once.
public final class LanguageModel implements AutoCloseable {
  /// Receives an answer while it is written.
  public interface Listener {
    /// The next piece.
    ///
    /// @param take counts the tries of one answer from 1: the pieces of an earlier one are void
    ///   (F33)
    void token(String text, int take);

    /// A message for the user who waits.
    default void note(String message) {}

    /// The call waits for a free slot, until [#resumes].
    default void waits() {}

    /// The wait is over.
    default void resumes() {}
  }

  private static final String URL = "llm.url=http://127.0.0.1:11434/v1";
  private static final String MODEL = "llm.model=NAME";
  private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

  private final LlmConfig config;
  private final InstantSource clock;
  private final MeterRegistry metrics;
  private final Backoff backoff;
  private final Semaphore slots;
  private final @Nullable HttpClient http;

  public LanguageModel(LlmConfig config, InstantSource clock, MeterRegistry metrics) {
    this.config = config;
    this.clock = clock;
    this.metrics = metrics;
    backoff = new Backoff(config.retryPause(), MAX_PAUSE);
    slots = new Semaphore(config.maxCalls(), true);
    http = config.url().isEmpty() ? null : client(config);
  }

  // Some servers fail on the offer of HTTP/2; a redirect must not carry the key elsewhere.
  static HttpClient client(LlmConfig config) {
    return HttpClient.newBuilder()
        .version(Version.HTTP_1_1)
        .followRedirects(Redirect.NEVER)
        .connectTimeout(config.connectTimeout())
        .build();
  }

  /// Whether there is a model to ask.
  public boolean isConfigured() {
    return http != null && !config.model().isEmpty();
  }

  /// How long the answers that one job needs may take together (`llm.timeout`).
  public Duration timeout() {
    return config.timeout();
  }

  /// Asks, and waits for the whole answer.
  ///
  /// @param timeout from the moment that the call has a slot
  /// @throws LlmException the failure of the last try
  public Completion ask(Prompt prompt, Duration timeout, Listener listener)
      throws LlmException, InterruptedException {
    var client = http;
    var model = prompt.model() == null ? config.model() : prompt.model();
    if (client == null) throw model.isEmpty() ? missing(URL, MODEL) : missing(URL);
    if (model.isEmpty()) throw missing(MODEL);
    if (!slots.tryAcquire()) {
      listener.note(
          "waits for its turn: the model is asked %d times now".formatted(config.maxCalls()));
      awaitSlot(listener);
    }
    // Kept during pauses: another call would be refused as well.
    try {
      return ask(client, model, prompt, System.nanoTime() + timeout.toNanos(), listener);
    } finally {
      slots.release();
    }
  }

  private void awaitSlot(Listener listener) throws InterruptedException {
    listener.waits();
    try {
      slots.acquire();
    } finally {
      listener.resumes();
    }
  }

  // Settings are given as `key=example`.
  private static LlmException missing(String... settings) {
    var keys =
        Arrays.stream(settings)
            .map(setting -> setting.substring(0, setting.indexOf('=')))
            .collect(Collectors.joining(" and "));
    return LlmException.permanent(
        Kind.NOT_CONFIGURED,
        "no language model is configured: %s %s not set, such as -s %s"
            .formatted(keys, settings.length > 1 ? "are" : "is", String.join(" -s ", settings)));
  }

  private Completion ask(
      HttpClient client, String model, Prompt prompt, long deadline, Listener listener)
      throws LlmException, InterruptedException {
    var request = ModelCall.request(config, model, prompt);
    for (int tries = 1; ; tries++) {
      var take = tries;
      var began = System.nanoTime();
      try {
        var call =
            new ModelCall(
                client, clock, config, model, deadline, text -> listener.token(text, take));
        var answer = answer(call, request, model, take);
        count("answered", began);
        return answer;
      } catch (LlmException failed) {
        count(failed.kind().name().toLowerCase(Locale.ROOT), began);
        if (!failed.isTransient() || take > config.retries()) throw failed.after(take);
        pause(failed, take, deadline, listener);
      }
    }
  }

  private static Completion answer(ModelCall call, HttpRequest request, String model, int take)
      throws LlmException, InterruptedException {
    try (var span = Traces.leaf(SpanKind.LLM, "ask", model)) {
      try {
        return call.run(request, take);
      } catch (LlmException | InterruptedException failed) {
        span.fail(failed);
        throw failed;
      }
    }
  }

  private void pause(LlmException failed, int tries, long deadline, Listener listener)
      throws LlmException, InterruptedException {
    var retryAfter = failed.retryAfter();
    var pause = retryAfter == null ? backoff.after(tries, ThreadLocalRandom.current()) : retryAfter;
    if (pause.toNanos() >= deadline - System.nanoTime()) {
      throw LlmException.permanent(
          failed.kind(),
          "%s; another try in %s s would be too late (llm.timeout)"
              .formatted(failed.getMessage(), CallLimits.seconds(pause)));
    }
    listener.note(
        "%s; try %d in %s s".formatted(failed.getMessage(), tries + 1, CallLimits.seconds(pause)));
    Thread.sleep(pause);
  }

  private void count(String end, long began) {
    Timer.builder("llm.calls")
        .description("Calls of the language model, by how they ended")
        .tag("end", end)
        .register(metrics)
        .record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    if (http != null) http.shutdownNow();
  }
}

package io.tidemill.llm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.content.protocol.SseEvent;
import io.tidemill.content.protocol.SseParser;
import io.tidemill.fetch.RetryAfter;
import io.tidemill.json.Json;
import io.tidemill.llm.LlmException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// One try: a request and its streamed answer. The connection is closed in any case.
final class ModelCall {
  // Usually a few words; some servers send a page at once.
  private static final int MAX_EVENT = 1024 * 1024;
  private static final int MAX_REFUSAL = 16 * 1024;
  private static final int MAX_TOKEN = 4 * 1024;

  private final HttpClient http;
  private final InstantSource clock;
  private final ModelRefusal refusal;
  private final CallLimits limits;
  private final CompletionReader completion;
  private final long maxBody;
  private final Consumer<String> tokens;
  private final StringBuilder unsent = new StringBuilder();

  ModelCall(
      HttpClient http,
      InstantSource clock,
      LlmConfig config,
      String model,
      long deadline,
      Consumer<String> tokens) {
    this.http = http;
    this.clock = clock;
    this.tokens = tokens;
    refusal = new ModelRefusal(config, model);
    limits = new CallLimits(config, deadline, refusal);
    completion = new CompletionReader(refusal, model, config.maxAnswer().bytes());
    // JSON may escape a character with six.
    maxBody = 6 * config.maxAnswer().bytes() + MAX_REFUSAL;
  }

  /// @param tries the number of this try
  Completion run(HttpRequest request, int tries) throws LlmException, InterruptedException {
    var response = send(request);
    try (var body = response.body();
        limits) {
      limits.guard(body);
      if (response.statusCode() / 100 != 2) throw refused(response);
      read(response);
    } catch (IOException broken) {
      // Whether the answer is complete decides below.
      if (Thread.interrupted()) throw new InterruptedException("interrupted");
    }
    if (!completion.isComplete() && limits.reached().isPresent()) throw limits.reached().get();
    return completion.answer(tries);
  }

  private HttpResponse<InputStream> send(HttpRequest request)
      throws LlmException, InterruptedException {
    var sent = http.sendAsync(request, BodyHandlers.ofInputStream());
    try {
      return sent.get(Math.max(0, limits.left()), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      drop(sent);
      throw limits.failure();
    } catch (ExecutionException failed) {
      throw unreachable(failed.getCause());
    } catch (InterruptedException stop) {
      drop(sent);
      throw stop;
    }
  }

  // A response that comes at this moment must not stay open.
  private static void drop(CompletableFuture<HttpResponse<InputStream>> sent) {
    var isTooLate = !sent.cancel(true) && !sent.isCompletedExceptionally();
    if (isTooLate) close(sent.join().body());
  }

  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException gone) {
      // It is closed.
    }
  }

  private LlmException unreachable(@Nullable Throwable why) {
    var reason =
        switch (why) {
          case HttpConnectTimeoutException _ -> "does not answer (llm.connect-timeout)";
          case ConnectException _ -> "is not reachable";
          case SSLException tls -> "can't be talked to by TLS: " + tls.getMessage();
          case null, default -> "broke the connection before it answered";
        };
    return LlmException.transientFault(Kind.LLM_UNAVAILABLE, refusal.host() + " " + reason);
  }

  private LlmException refused(HttpResponse<InputStream> response) {
    return refusal.of(response.statusCode(), retryAfter(response), text(response.body()));
  }

  // The status counts, even if the body breaks off.
  private static String text(InputStream body) {
    try {
      return new String(body.readNBytes(MAX_REFUSAL), UTF_8);
    } catch (IOException broken) {
      return "";
    }
  }

  private @Nullable Duration retryAfter(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .flatMap(text -> RetryAfter.parse(text, clock))
        .orElse(null);
  }

  private void read(HttpResponse<InputStream> response) throws IOException, LlmException {
    var type = response.headers().firstValue("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    if (type.startsWith("text/html")) {
      throw LlmException.permanent(
          Kind.LLM_BAD_ANSWER,
          refusal.host() + " answers with a web page; llm.url must be the base of the API");
    }
    var body = new PushbackInputStream(response.body());
    var first = body.read();
    if (first >= 0) body.unread(first);
    // Servers that do not stream send any content type.
    if (first == '{' || first == '<' || type.startsWith("application/json")) readWhole(body);
    else readEvents(body);
  }

  private void readWhole(InputStream body) throws IOException, LlmException {
    var bytes = body.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, maxBody));
    if (body.read() >= 0) throw CompletionReader.tooLarge(maxBody);
    unsent.append(completion.whole(new String(bytes, UTF_8)));
    flush();
  }

  private void readEvents(InputStream body) throws IOException, LlmException {
    var events = new ArrayList<SseEvent>();
    var parser = new SseParser("", MAX_EVENT, events::add);
    var buffer = new byte[8192];
    int length;
    while (!completion.isEnded() && (length = body.read(buffer)) >= 0) {
      feed(parser, buffer, length);
      for (var event : events) {
        limits.received();
        if (!completion.isEnded()) unsent.append(completion.chunk(event.data()));
      }
      events.clear();
      // Pieces that have arrived are sent together: a fast model does not wait for each event.
      if (body.available() == 0 || unsent.length() >= MAX_TOKEN) flush();
    }
    flush();
  }

  private void feed(SseParser parser, byte[] bytes, int length) throws LlmException {
    try {
      parser.feed(bytes, length);
    } catch (IOException endless) {
      throw refusal.unreadable(String.valueOf(endless.getMessage()), "");
    }
  }

  private void flush() {
    var text = unsent.toString();
    unsent.setLength(0);
    for (int at = 0; at < text.length(); ) {
      var end = Math.min(text.length(), at + MAX_TOKEN);
      if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) end--;
      tokens.accept(text.substring(at, end));
      at = end;
    }
  }

  /// The request for a prompt.
  static HttpRequest request(LlmConfig config, String model, Prompt prompt) {
    var body = Json.object().put("model", model).put("stream", true);
    body.putObject("stream_options").put("include_usage", true);
    var messages = body.putArray("messages");
    for (var message : prompt.messages()) {
      messages.addObject().put("role", message.role()).put("content", message.content());
    }
    var temperature = prompt.temperature() == null ? config.temperature() : prompt.temperature();
    if (temperature >= 0) body.put("temperature", temperature);
    var most = prompt.maxTokens() == null ? config.maxTokens() : prompt.maxTokens();
    if (most > 0) body.put("max_tokens", most);
    var request =
        HttpRequest.newBuilder(config.endpoint("/chat/completions").orElseThrow())
            .header("Content-Type", "application/json")
            .header("Accept", "text/event-stream, application/json")
            .POST(BodyPublishers.ofByteArray(Json.bytes(body)));
    authorise(request, config);
    return request.build();
  }

  static void authorise(HttpRequest.Builder request, LlmConfig config) {
    if (!config.key().isEmpty()) request.header("Authorization", "Bearer " + config.key());
  }
}

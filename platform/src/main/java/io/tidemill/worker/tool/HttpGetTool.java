package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.FetchRequest;
import io.tidemill.fetch.FetchResult;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.connection.FetchFailure;
import io.tidemill.json.Json;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Fetches a web page, `{"url":…}`, from public addresses only (C3.11, F47). A transient failure is
/// retried once, then the job ends with the reason.
public final class HttpGetTool extends BuiltInTool {
  private static final int MOST = 200 * 1024;
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final ObjectNode SCHEMA =
      ToolArguments.schema(
          """
          {"url": {"type": "string", "minLength": 1, "maxLength": 8192, "description": "Absolute http or https URL."}}
          """,
          "url");
  private static final Pattern CHARSET =
      Pattern.compile("charset\\s*=\\s*\"?([\\w.:-]+)", Pattern.CASE_INSENSITIVE);

  private final Fetcher fetcher;
  private final Duration pause;

  public HttpGetTool(Fetcher fetcher) {
    this(fetcher, PAUSE);
  }

  /// @param pause before a fetch that failed is tried again
  public HttpGetTool(Fetcher fetcher, Duration pause) {
    super(
        "http.get",
        false,
        "Fetches a web page or file from a public address, without running its scripts. Returns"
            + " status, final URL, content type and up to 200 KiB of the body as text.",
        SCHEMA);
    this.fetcher = fetcher;
    this.pause = pause;
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var url = WebUrl.parse(arguments.path("url").asString(""));
    if (url.isEmpty()) {
      throw ToolArguments.wrong("url: expected an absolute http or https URL");
    }
    return switch (fetch(url.get())) {
      case FetchResult.Answer answer -> result(answer);
      case FetchResult.Failed failed -> throw failure(failed);
    };
  }

  private FetchResult fetch(WebUrl url) throws InterruptedException {
    var request = FetchRequest.anything(url).first(MOST);
    var first = fetcher.fetch(request);
    if (!isTransient(first)) return first;
    Thread.sleep(pause);
    return fetcher.fetch(request);
  }

  private static boolean isTransient(FetchResult fetched) {
    return fetched instanceof FetchResult.Failed failed
        && failed.kind() != FetchFailure.INTERRUPTED
        && failed.kind().isTransient();
  }

  private static JsonNode result(FetchResult.Answer answer) {
    var type = answer.headers().first("Content-Type").orElse("");
    return Json.object()
        .put("status", answer.status())
        .put("url", answer.url().href())
        .put("contentType", type)
        .put("body", text(answer, charset(type)))
        .put("truncated", answer.truncated());
  }

  private static Charset charset(String type) {
    var named = CHARSET.matcher(type);
    try {
      return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
    } catch (IllegalArgumentException _) {
      return StandardCharsets.UTF_8;
    }
  }

  private static String text(FetchResult.Answer answer, Charset charset) {
    var decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    var bytes = ByteBuffer.wrap(answer.body());
    var chars = CharBuffer.allocate((int) Math.ceil(bytes.remaining() * decoder.maxCharsPerByte()));
    // The cut may be within a character.
    decoder.decode(bytes, chars, !answer.truncated());
    return chars.flip().toString();
  }

  private static Exception failure(FetchResult.Failed failed) throws InterruptedException {
    if (failed.kind() == FetchFailure.INTERRUPTED) throw new InterruptedException(failed.reason());
    return new JobFailure(failed.kind().name(), failed.reason());
  }
}

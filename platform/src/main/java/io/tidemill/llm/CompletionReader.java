package io.tidemill.llm;

import io.tidemill.json.Json;
import io.tidemill.llm.Completion.Usage;
import io.tidemill.llm.LlmException.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// Reads the chunks of an answer. It is complete only with a finish reason (F33).
final class CompletionReader {
  private static final String DONE = "[DONE]";

  private final ModelRefusal refusal;
  private final long maxBytes;
  private final StringBuilder text = new StringBuilder();
  private String model;
  private @Nullable String finishReason;
  private @Nullable Usage usage;
  private long bytes;
  private boolean ended;

  CompletionReader(ModelRefusal refusal, String model, long maxBytes) {
    this.refusal = refusal;
    this.model = model;
    this.maxBytes = maxBytes;
  }

  /// The data of one event.
  ///
  /// @return the text that it adds
  String chunk(String data) throws LlmException {
    if (data.strip().equals(DONE)) {
      ended = true;
      return "";
    }
    return read(data, "delta");
  }

  /// The answer of a server that does not stream.
  String whole(String body) throws LlmException {
    ended = true;
    return read(body, "message");
  }

  private JsonNode parse(String json) throws LlmException {
    try {
      var tree = Json.parse(json);
      if (tree.isObject()) return tree;
      throw refusal.unreadable("not a JSON object", json);
    } catch (JacksonException notJson) {
      throw refusal.unreadable(Json.fault(notJson), json);
    }
  }

  private String read(String json, String part) throws LlmException {
    var chunk = parse(json);
    var error = chunk.path("error");
    if (!error.isMissingNode() && !error.isNull()) throw refusal.of(error);
    if (chunk.path("model").isString() && !chunk.path("model").stringValue().isEmpty()) {
      model = chunk.path("model").stringValue();
    }
    count(chunk.path("usage"));
    var choices = chunk.path("choices");
    if (!choices.isArray() && !choices.isMissingNode() && !choices.isNull()) {
      throw refusal.unreadable("its choices are no list", json);
    }
    var choice = choices.path(0);
    var piece = content(choice.path(part).path("content"), json);
    add(piece);
    var reason = choice.path("finish_reason");
    // Some servers send an empty one with every chunk.
    if (reason.isString() && !reason.stringValue().isEmpty()) finishReason = reason.stringValue();
    return piece;
  }

  // A text, nothing, or a list of parts, of which only texts are read.
  private String content(JsonNode content, String json) throws LlmException {
    if (content.isMissingNode() || content.isNull()) return "";
    if (content.isString()) return content.stringValue();
    if (!content.isArray()) throw refusal.unreadable("its content is no text", json);
    var parts = new StringBuilder();
    for (var part : content) parts.append(part.path("text").asString(""));
    return parts.toString();
  }

  private void add(String piece) throws LlmException {
    // Surrogates count three each, which is more than they need.
    bytes += piece.chars().mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : 3).sum();
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    text.append(piece);
  }

  private void count(JsonNode usage) {
    if (!usage.isObject()) return;
    var prompt = usage.path("prompt_tokens").asLong(0);
    var completion = usage.path("completion_tokens").asLong(0);
    this.usage =
        new Usage(prompt, completion, usage.path("total_tokens").asLong(prompt + completion));
  }

  static LlmException tooLarge(long maxBytes) {
    return LlmException.permanent(
        Kind.LLM_TOO_LARGE,
        "the answer has more than %d bytes (llm.max-answer)".formatted(maxBytes));
  }

  /// Whether the server has ended the stream.
  boolean isEnded() {
    return ended;
  }

  /// Whether there is a finish reason; a broken connection does not matter then.
  boolean isComplete() {
    return finishReason != null;
  }

  /// @throws LlmException when it is not complete
  Completion answer(int tries) throws LlmException {
    if (finishReason == null) throw cut(text.length());
    return new Completion(text.toString(), model, finishReason, usage, tries);
  }

  private LlmException cut(int characters) {
    return LlmException.transientFault(
        Kind.LLM_UNAVAILABLE,
        "%s broke off its answer after %d characters".formatted(refusal.host(), characters));
  }
}

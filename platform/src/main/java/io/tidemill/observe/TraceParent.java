package io.tidemill.observe;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// A W3C `traceparent`: which trace we are in, and which span of it.
public record TraceParent(String traceId, String spanId, boolean sampled) {
  // By hand, not by pattern: it is done twice for every request and every job.
  private static final int VERSION_END = 2;
  private static final int TRACE_END = 35;
  private static final int SPAN_END = 52;
  private static final int LENGTH = 55;

  public TraceParent {
    if (!isId(traceId, 0, traceId.length()) || traceId.length() != 32) {
      throw new IllegalArgumentException("trace id is '" + traceId + "': expected 32 hex digits");
    }
    if (!isId(spanId, 0, spanId.length()) || spanId.length() != 16) {
      throw new IllegalArgumentException("span id is '" + spanId + "': expected 16 hex digits");
    }
  }

  /// Reads a header; anything that the W3C calls invalid is empty. Later versions may carry more
  /// fields.
  public static Optional<TraceParent> parse(@Nullable String header) {
    if (header == null || !isWellFormed(header)) return Optional.empty();
    var traceId = header.substring(VERSION_END + 1, TRACE_END);
    var spanId = header.substring(TRACE_END + 1, SPAN_END);
    var sampled = (Character.digit(header.charAt(LENGTH - 1), 16) & 1) == 1;
    return Optional.of(new TraceParent(traceId, spanId, sampled));
  }

  private static boolean isWellFormed(String header) {
    if (header.length() < LENGTH || !isHex(header, 0, VERSION_END)) return false;
    if (header.startsWith("ff")) return false;
    if (header.length() > LENGTH && (header.startsWith("00") || header.charAt(LENGTH) != '-')) {
      return false;
    }
    return header.charAt(VERSION_END) == '-'
        && header.charAt(TRACE_END) == '-'
        && header.charAt(SPAN_END) == '-'
        && isId(header, VERSION_END + 1, TRACE_END)
        && isId(header, TRACE_END + 1, SPAN_END)
        && isHex(header, SPAN_END + 1, LENGTH);
  }

  private static boolean isHex(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      var c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) return false;
    }
    return true;
  }

  private static boolean isId(String text, int from, int to) {
    if (!isHex(text, from, to)) return false;
    for (int i = from; i < to; i++) {
      if (text.charAt(i) != '0') return true;
    }
    return false;
  }

  /// A new trace with its first span.
  public static TraceParent random() {
    return below(null, true);
  }

  /// Another span of the same trace.
  public TraceParent child() {
    return below(this, sampled);
  }

  /// Another span of that trace, or the first of a new one.
  static TraceParent below(@Nullable TraceParent above, boolean sampled) {
    return new TraceParent(above == null ? randomId(16) : above.traceId(), randomId(8), sampled);
  }

  private static String randomId(int length) {
    var bytes = new byte[length];
    do {
      ThreadLocalRandom.current().nextBytes(bytes);
    } while (isZero(bytes));
    return HexFormat.of().formatHex(bytes);
  }

  private static boolean isZero(byte[] bytes) {
    for (var b : bytes) {
      if (b != 0) return false;
    }
    return true;
  }

  /// The header's form.
  @Override
  public String toString() {
    return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
  }
}

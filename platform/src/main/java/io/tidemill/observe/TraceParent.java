package io.tidemill.observe;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A W3C `traceparent`: which trace we are in, and which span of it.
public record TraceParent(String traceId, String spanId, boolean sampled) {
  private static final Pattern TRACE_ID = Pattern.compile("(?!0{32})[0-9a-f]{32}");
  private static final Pattern SPAN_ID = Pattern.compile("(?!0{16})[0-9a-f]{16}");
  private static final Pattern HEADER =
      Pattern.compile("(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");

  public TraceParent {
    if (!TRACE_ID.matcher(traceId).matches()) {
      throw new IllegalArgumentException("trace id is '" + traceId + "': expected 32 hex digits");
    }
    if (!SPAN_ID.matcher(spanId).matches()) {
      throw new IllegalArgumentException("span id is '" + spanId + "': expected 16 hex digits");
    }
  }

  /// Reads a header; anything that the W3C calls invalid is empty. Later versions may carry more
  /// fields.
  public static Optional<TraceParent> parse(@Nullable String header) {
    if (header == null) return Optional.empty();
    var parts = HEADER.matcher(header);
    if (!parts.matches()) return Optional.empty();
    if (parts.group(1).equals("00") && parts.group(5) != null) return Optional.empty();
    if (!TRACE_ID.matcher(parts.group(2)).matches()) return Optional.empty();
    if (!SPAN_ID.matcher(parts.group(3)).matches()) return Optional.empty();
    var sampled = (Integer.parseInt(parts.group(4), 16) & 1) == 1;
    return Optional.of(new TraceParent(parts.group(2), parts.group(3), sampled));
  }

  /// A new trace with its first span.
  public static TraceParent random() {
    return new TraceParent(randomId(16), randomId(8), true);
  }

  /// Another span of the same trace.
  public TraceParent child() {
    return new TraceParent(traceId, randomId(8), sampled);
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

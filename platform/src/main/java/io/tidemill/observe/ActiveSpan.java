package io.tidemill.observe;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A span of the SDK that is recorded, with bounds on what it holds. Safe for several threads.
final class ActiveSpan {
  static final int MOST_ATTRIBUTES = 12;
  static final int MOST_OBJECTS = 8;
  static final int LONGEST_NAME = 200;
  static final int LONGEST_VALUE = 200;
  static final int LONGEST_ERROR = 300;
  private static final int LONGEST_KEY = 40;

  private final SpanRecorder recorder;
  private final Span span;
  private final TraceParent ids;
  private final String role;
  private final long startMicros;
  private final long startNanos;

  // Guarded by this.
  private final Set<String> keys = new HashSet<>();
  private final List<String> objects = new ArrayList<>(1);
  private boolean isFailed;
  private boolean isDismissed;

  /// @param startNanos what [System#nanoTime] said at `startMicros`
  ActiveSpan(SpanRecorder recorder, Span span, String role, long startMicros, long startNanos) {
    this.recorder = recorder;
    this.span = span;
    this.role = role;
    this.startMicros = startMicros;
    this.startNanos = startNanos;
    var context = span.getSpanContext();
    // After its shutdown the SDK starts spans without ids.
    ids =
        context.isValid()
            ? new TraceParent(context.getTraceId(), context.getSpanId(), true)
            : TraceParent.random();
  }

  TraceParent ids() {
    return ids;
  }

  /// Starts a child by the clock of its parent: a child never begins before it.
  ActiveSpan child(SpanKind kind, String name) {
    var now = System.nanoTime();
    return recorder.start(kind, name, role, ids, microsAt(now), now);
  }

  synchronized void note(String key, String value) {
    var bounded = cut(key, LONGEST_KEY);
    if (keys.size() >= MOST_ATTRIBUTES && !keys.contains(bounded)) return;
    keys.add(bounded);
    span.setAttribute(SpanAttributes.PREFIX + bounded, cut(value, LONGEST_VALUE));
  }

  synchronized void about(String what, String id) {
    var object = cut(what + ":" + id, LONGEST_VALUE);
    if (objects.size() >= MOST_OBJECTS || objects.contains(object)) return;
    objects.add(object);
    span.setAttribute(SpanAttributes.OBJECTS, List.copyOf(objects));
  }

  synchronized void dismiss() {
    isDismissed = true;
  }

  /// The first failure counts.
  synchronized void fail(String why) {
    if (!isFailed) span.setStatus(StatusCode.ERROR, cut(why, LONGEST_ERROR));
    isFailed = true;
  }

  void fail(Throwable why) {
    var message = why.getMessage();
    var type = why.getClass().getSimpleName();
    fail(message == null || message.isBlank() ? type : type + ": " + message);
  }

  /// The SDK exports what ends; a dismissed span never does.
  synchronized void end() {
    if (!isDismissed) span.end(microsAt(System.nanoTime()), TimeUnit.MICROSECONDS);
  }

  private long microsAt(long nanos) {
    return startMicros + Math.max(0, (nanos - startNanos) / 1_000);
  }

  static String cut(String text, int most) {
    if (text.length() <= most) return text;
    var end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
    return text.substring(0, end) + "…";
  }
}

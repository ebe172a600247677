package io.tidemill.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A span that has begun and is recorded; several threads may tell it something.
final class LiveSpan {
  static final int MOST_ATTRIBUTES = 12;
  static final int MOST_OBJECTS = 8;
  static final int LONGEST_NAME = 200;
  static final int LONGEST_VALUE = 200;
  static final int LONGEST_ERROR = 300;
  private static final int LONGEST_KEY = 40;

  private final Recorder recorder;
  private final TraceParent ids;
  private final @Nullable String parentId;
  private final SpanKind kind;
  private final String name;
  private final String role;
  private final long startMicros;
  private final long startNanos;
  private final SpanExport.@Nullable Running export;

  // Guarded by this.
  private final Map<String, String> attributes = new LinkedHashMap<>();
  private final List<String> objects = new ArrayList<>(1);
  private @Nullable String error;
  private boolean isDismissed;

  /// @param startNanos what the process' own clock said at `startMicros`
  LiveSpan(
      Recorder recorder,
      TraceParent ids,
      @Nullable String parentId,
      SpanKind kind,
      String name,
      String role,
      long startMicros,
      long startNanos,
      SpanExport.@Nullable Running export) {
    this.recorder = recorder;
    this.ids = ids;
    this.parentId = parentId;
    this.kind = kind;
    this.name = name;
    this.role = role;
    this.startMicros = startMicros;
    this.startNanos = startNanos;
    this.export = export;
  }

  TraceParent ids() {
    return ids;
  }

  /// One below it, which begins now.
  LiveSpan child(SpanKind childKind, String childName) {
    var now = System.nanoTime();
    // By the same clock as its parent: a child never begins before it.
    var micros = startMicros + (now - startNanos) / 1_000;
    return recorder.begin(childKind, childName, role, ids, micros, now);
  }

  synchronized void note(String key, String value) {
    if (attributes.size() >= MOST_ATTRIBUTES && !attributes.containsKey(key)) return;
    attributes.put(cut(key, LONGEST_KEY), cut(value, LONGEST_VALUE));
  }

  synchronized void about(String what, String id) {
    var object = cut(what + ":" + id, LONGEST_VALUE);
    if (objects.size() < MOST_OBJECTS && !objects.contains(object)) objects.add(object);
  }

  synchronized void dismiss() {
    isDismissed = true;
  }

  private synchronized boolean isDismissed() {
    return isDismissed;
  }

  synchronized void fail(String why) {
    if (error == null) error = cut(why, LONGEST_ERROR);
  }

  void fail(Throwable why) {
    var message = why.getMessage();
    var type = why.getClass().getSimpleName();
    fail(message == null || message.isBlank() ? type : type + ": " + message);
  }

  void end() {
    if (isDismissed()) return;
    var span = ended(System.nanoTime());
    if (export != null) export.end(span);
    recorder.ended(span);
  }

  private synchronized Span ended(long now) {
    return new Span(
        ids.traceId(),
        ids.spanId(),
        parentId,
        name,
        kind,
        role,
        startMicros,
        Math.max(0, (now - startNanos) / 1_000),
        error,
        Map.copyOf(attributes),
        List.copyOf(objects));
  }

  static String cut(String text, int most) {
    if (text.length() <= most) return text;
    var end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
    return text.substring(0, end) + "…";
  }
}

package io.tidemill.observe;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// Where the recorded spans of one process begin and go: to its sink, and by OTLP when somebody
/// listens there.
final class Recorder implements AutoCloseable {
  private final @Nullable SpanExport export;
  private final SpanSink sink;
  private final InstantSource clock;
  private final TraceRate rate;
  private final boolean isListening;

  Recorder(ObserveConfig config, SpanSink sink, InstantSource clock) {
    // Without an endpoint no class of the SDK is loaded and no thread is started.
    this.export = config.otlpEndpoint().isEmpty() ? null : SpanExport.to(config);
    this.sink = sink;
    this.clock = clock;
    isListening = export != null || !sink.equals(SpanSink.NONE);
    rate = new TraceRate(config.tracesPerSecond(), System.nanoTime());
  }

  boolean isListening() {
    return isListening;
  }

  /// Whether one more trace is recorded now.
  boolean passes() {
    return rate.pass(System.nanoTime());
  }

  /// Begins a span of which this process knows no other.
  LiveSpan begin(SpanKind kind, String name, String role, @Nullable TraceParent above) {
    return begin(kind, name, role, above, nowMicros(), System.nanoTime());
  }

  LiveSpan begin(
      SpanKind kind,
      String name,
      String role,
      @Nullable TraceParent above,
      long startMicros,
      long startNanos) {
    var called = LiveSpan.cut(name, LiveSpan.LONGEST_NAME);
    var exported = export == null ? null : export.start(called, above, startMicros);
    return new LiveSpan(
        this,
        exported == null ? TraceParent.below(above, true) : exported.ids(),
        above == null ? null : above.spanId(),
        kind,
        called,
        role,
        startMicros,
        startNanos,
        exported);
  }

  /// What the clock said at that time of this process.
  long microsAt(long nanos) {
    return nowMicros() - (System.nanoTime() - nanos) / 1_000;
  }

  private long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  void ended(Span span) {
    sink.accept(span);
  }

  @Override
  public void close() {
    if (export != null) export.close();
  }
}

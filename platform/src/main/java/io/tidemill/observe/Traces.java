package io.tidemill.observe;

import io.opentelemetry.sdk.trace.SpanProcessor;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs work in spans of OpenTelemetry's SDK.
///
/// The process in which a trace begins decides whether it is sampled; the flag of its `traceparent`
/// says so to all others. A span that is not sampled has ids only: they are passed on, the SDK is
/// not asked.
public final class Traces implements AutoCloseable {
  private static final ScopedValue<Current> CURRENT = ScopedValue.newInstance();

  /// @param span null when it is not recorded
  private record Current(TraceParent ids, @Nullable ActiveSpan span) {}

  private final @Nullable SpanRecorder recorder;
  private final TraceRate rate;
  private final String role;

  /// Spans that only OTLP gets.
  public Traces(ObserveConfig config) {
    this(
        config.otlpEndpoint().isEmpty()
            ? null
            : new SpanRecorder(config, null, InstantSource.system()),
        new TraceRate(config.tracesPerSecond(), System.nanoTime()),
        "");
  }

  /// @param processor gets all spans that are recorded, besides OTLP
  public Traces(ObserveConfig config, SpanProcessor processor, InstantSource clock) {
    this(
        new SpanRecorder(config, processor, clock),
        new TraceRate(config.tracesPerSecond(), System.nanoTime()),
        "");
  }

  private Traces(@Nullable SpanRecorder recorder, TraceRate rate, String role) {
    this.recorder = recorder;
    this.rate = rate;
    this.role = role;
  }

  /// The same for one role of the process.
  public Traces of(String name) {
    return new Traces(recorder, rate, name);
  }

  /// The current span, to be sent along as `traceparent`.
  public static Optional<TraceParent> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get().ids()) : Optional.empty();
  }

  /// The current span as a header; null when there is none.
  public static @Nullable String header() {
    return CURRENT.isBound() ? CURRENT.get().ids().toString() : null;
  }

  /// Sets a short attribute of the current span, if it is recorded.
  public static void note(String key, @Nullable String value) {
    var span = span();
    if (span != null && value != null) span.note(key, value);
  }

  /// Sets a number as attribute of the current span, if it is recorded.
  public static void note(String key, long value) {
    var span = span();
    if (span != null) span.note(key, Long.toString(value));
  }

  /// Names an object that the current span is about: the trace is found by it.
  ///
  /// @param what `job`, `crawl`, `workflow` or `task`
  public static void about(String what, String id) {
    var span = span();
    if (span != null) span.about(what, id);
  }

  /// Marks the current span as failed, though nothing is thrown.
  public static void fail(String why) {
    var span = span();
    if (span != null) span.fail(why);
  }

  /// Drops the current span: there was nothing to do.
  public static void dismiss() {
    var span = span();
    if (span != null) span.dismiss();
  }

  private static @Nullable ActiveSpan span() {
    return CURRENT.isBound() ? CURRENT.get().span() : null;
  }

  /// Runs the body in a child of the current span; if that is not recorded, just runs it.
  public static <T extends @Nullable Object, X extends Throwable> T part(
      SpanKind kind, String name, ScopedValue.CallableOp<T, X> body) throws X {
    var parent = span();
    return parent == null ? body.call() : record(parent.child(kind, name), body);
  }

  /// The same with a name of two words, put together only when it is needed.
  public static <T extends @Nullable Object, X extends Throwable> T part(
      SpanKind kind, String verb, Object what, ScopedValue.CallableOp<T, X> body) throws X {
    var parent = span();
    return parent == null ? body.call() : record(parent.child(kind, verb + " " + what), body);
  }

  /// Starts a child of the current span that has no children; the caller closes it.
  public static LeafSpan leaf(SpanKind kind, String verb, Object what) {
    var parent = span();
    return parent == null
        ? LeafSpan.UNRECORDED
        : new LeafSpan(parent.child(kind, verb + " " + what));
  }

  /// Runs the body in a new span below `parent`, or below the current span, or in a new trace.
  ///
  /// @param parent a `traceparent` as received; an invalid one counts as none
  public <T extends @Nullable Object, X extends Throwable> T inSpan(
      SpanKind kind, String name, @Nullable String parent, ScopedValue.CallableOp<T, X> body)
      throws X {
    var known = TraceParent.parse(parent).or(Traces::current).orElse(null);
    var sampled = known == null ? acquire() : known.sampled();
    return in(kind, name, known, sampled, body);
  }

  /// Runs the body in a span for a request from outside. All of these count against
  /// `observe.traces-per-second`, whatever flag the client sends.
  ///
  /// @param begins whether a request without `traceparent` begins a trace that is recorded
  public <T extends @Nullable Object, X extends Throwable> T inRequest(
      String name, @Nullable String parent, boolean begins, ScopedValue.CallableOp<T, X> body)
      throws X {
    var known = TraceParent.parse(parent).orElse(null);
    var wanted = known == null ? begins : known.sampled();
    return in(SpanKind.HTTP, name, known, wanted && acquire(), body);
  }

  private boolean acquire() {
    return rate.tryAcquire(System.nanoTime());
  }

  private <T extends @Nullable Object, X extends Throwable> T in(
      SpanKind kind,
      String name,
      @Nullable TraceParent parent,
      boolean sampled,
      ScopedValue.CallableOp<T, X> body)
      throws X {
    if (sampled && recorder != null) return record(recorder.start(kind, name, role, parent), body);
    var ids = TraceParent.below(parent, sampled);
    return ScopedValue.where(CURRENT, new Current(ids, null)).call(body);
  }

  private static <T extends @Nullable Object, X extends Throwable> T record(
      ActiveSpan span, ScopedValue.CallableOp<T, X> body) throws X {
    try {
      return ScopedValue.where(CURRENT, new Current(span.ids(), span)).call(body);
    } catch (Throwable failed) {
      span.fail(failed);
      throw failed;
    } finally {
      span.end();
    }
  }

  /// Records work that is done already, such as one message of a batch.
  ///
  /// @param parent the message's `traceparent`; when it is not sampled, nothing is recorded
  /// @param beganNanos when it began, by [System#nanoTime]
  /// @param error null when it succeeded
  /// @param notes keys and values
  public void passed(
      SpanKind kind,
      String name,
      @Nullable String parent,
      long beganNanos,
      @Nullable String error,
      String... notes) {
    if (recorder == null) return;
    var known = TraceParent.parse(parent).filter(TraceParent::sampled).orElse(null);
    if (known == null) return;
    var span = recorder.start(kind, name, role, known, recorder.microsAt(beganNanos), beganNanos);
    for (int i = 0; i + 1 < notes.length; i += 2) span.note(notes[i], notes[i + 1]);
    if (error != null) span.fail(error);
    span.end();
  }

  @Override
  public void close() {
    if (recorder != null) recorder.close();
  }
}

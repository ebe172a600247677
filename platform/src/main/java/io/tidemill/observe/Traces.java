package io.tidemill.observe;

import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs work in spans: each has valid ids and its parent's trace.
///
/// The flag `sampled` of a trace decides for every process that it goes through. Spans of a trace
/// that has it go to the sink and to OTLP; of any other there are ids, and nothing else is made.
public final class Traces implements AutoCloseable {
  private static final ScopedValue<Place> PLACE = ScopedValue.newInstance();

  /// @param span null when it is not recorded
  private record Place(TraceParent ids, @Nullable LiveSpan span) {}

  private final Recorder recorder;
  private final String role;

  /// Spans that only OTLP gets.
  public Traces(ObserveConfig config) {
    this(config, SpanSink.NONE, InstantSource.system());
  }

  public Traces(ObserveConfig config, SpanSink sink, InstantSource clock) {
    this(new Recorder(config, sink, clock), "");
  }

  private Traces(Recorder recorder, String role) {
    this.recorder = recorder;
    this.role = role;
  }

  /// The same for one role of the process.
  public Traces of(String name) {
    return new Traces(recorder, name);
  }

  /// The span that the caller runs in, to be sent along as `traceparent`.
  public static Optional<TraceParent> current() {
    return PLACE.isBound() ? Optional.of(PLACE.get().ids()) : Optional.empty();
  }

  /// The same as a header; null when there is none.
  public static @Nullable String header() {
    return PLACE.isBound() ? PLACE.get().ids().toString() : null;
  }

  /// Notes a short fact on the current span, if it is recorded.
  public static void note(String key, @Nullable String value) {
    var span = span();
    if (span != null && value != null) span.note(key, value);
  }

  /// Notes a number on the current span, if it is recorded.
  public static void note(String key, long value) {
    var span = span();
    if (span != null) span.note(key, Long.toString(value));
  }

  /// Says what the current span is about: the trace is found by it.
  ///
  /// @param what `job`, `crawl`, `workflow` or `task`
  public static void about(String what, String id) {
    var span = span();
    if (span != null) span.about(what, id);
  }

  /// Says that what the current span stands for failed, though nothing is thrown.
  public static void fail(String why) {
    var span = span();
    if (span != null) span.fail(why);
  }

  /// Leaves the current span out: it was only a look whether there is something to do.
  public static void dismiss() {
    var span = span();
    if (span != null) span.dismiss();
  }

  private static @Nullable LiveSpan span() {
    return PLACE.isBound() ? PLACE.get().span() : null;
  }

  /// Runs the body as a part of the current span; if that is not recorded, just runs it.
  public static <T extends @Nullable Object, X extends Throwable> T part(
      SpanKind kind, String name, ScopedValue.CallableOp<T, X> body) throws X {
    var above = span();
    return above == null ? body.call() : recorded(above.child(kind, name), body);
  }

  /// The same with a name of two words, put together only when it is needed.
  public static <T extends @Nullable Object, X extends Throwable> T part(
      SpanKind kind, String verb, Object what, ScopedValue.CallableOp<T, X> body) throws X {
    var above = span();
    return above == null ? body.call() : recorded(above.child(kind, verb + " " + what), body);
  }

  /// Begins a part of the current span that has no parts itself; the caller closes it.
  public static LeafSpan leaf(SpanKind kind, String verb, Object what) {
    var above = span();
    return above == null ? LeafSpan.UNRECORDED : new LeafSpan(above.child(kind, verb + " " + what));
  }

  /// Runs the body in a new span below `parent`, or below the current span, or in a new trace.
  ///
  /// @param parent a `traceparent` as it came; one that is not valid counts as none
  public <T extends @Nullable Object, X extends Throwable> T inSpan(
      SpanKind kind, String name, @Nullable String parent, ScopedValue.CallableOp<T, X> body)
      throws X {
    var above = TraceParent.parse(parent).or(Traces::current).orElse(null);
    var sampled = above == null ? recorder.passes() : above.sampled();
    return in(kind, name, above, sampled, body);
  }

  /// Runs the body in a span for a request from outside, whose traces all count against what may be
  /// recorded, whatever flag the client sends.
  ///
  /// @param begins whether a request that brings no trace begins one that is recorded
  public <T extends @Nullable Object, X extends Throwable> T inRequest(
      String name, @Nullable String parent, boolean begins, ScopedValue.CallableOp<T, X> body)
      throws X {
    var above = TraceParent.parse(parent).orElse(null);
    var wanted = above == null ? begins : above.sampled();
    return in(SpanKind.HTTP, name, above, wanted && recorder.passes(), body);
  }

  private <T extends @Nullable Object, X extends Throwable> T in(
      SpanKind kind,
      String name,
      @Nullable TraceParent above,
      boolean sampled,
      ScopedValue.CallableOp<T, X> body)
      throws X {
    if (sampled && recorder.isListening()) {
      return recorded(recorder.begin(kind, name, role, above), body);
    }
    return ScopedValue.where(PLACE, new Place(TraceParent.below(above, sampled), null)).call(body);
  }

  private static <T extends @Nullable Object, X extends Throwable> T recorded(
      LiveSpan span, ScopedValue.CallableOp<T, X> body) throws X {
    try {
      return ScopedValue.where(PLACE, new Place(span.ids(), span)).call(body);
    } catch (Throwable failed) {
      span.fail(failed);
      throw failed;
    } finally {
      span.end();
    }
  }

  /// Records what has been done for a message already, together with others.
  ///
  /// @param parent the message's `traceparent`; when it is not sampled, nothing is done
  /// @param beganNanos when it began, by [System#nanoTime]
  /// @param error null when it went well
  /// @param notes keys and values
  public void passed(
      SpanKind kind,
      String name,
      @Nullable String parent,
      long beganNanos,
      @Nullable String error,
      String... notes) {
    if (!recorder.isListening()) return;
    var above = TraceParent.parse(parent).filter(TraceParent::sampled).orElse(null);
    if (above == null) return;
    var span = recorder.begin(kind, name, role, above, recorder.microsAt(beganNanos), beganNanos);
    for (int i = 0; i + 1 < notes.length; i += 2) span.note(notes[i], notes[i + 1]);
    if (error != null) span.fail(error);
    span.end();
  }

  @Override
  public void close() {
    recorder.close();
  }
}

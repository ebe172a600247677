package io.tidemill.observe;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs work in spans: each has valid ids and its parent's trace, and is exported when somebody
/// listens.
public final class Traces implements AutoCloseable {
  private static final ScopedValue<TraceParent> CURRENT = ScopedValue.newInstance();

  private final @Nullable SpanExport export;

  public Traces(ObserveConfig config) {
    // Without an endpoint no class of the SDK is loaded and no thread is started.
    this.export = config.otlpEndpoint().isEmpty() ? null : SpanExport.to(config);
  }

  /// The span that the caller runs in, to be sent along as `traceparent`.
  public static Optional<TraceParent> current() {
    return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
  }

  /// Runs the body in a new span below `parent`, or below the current span, or in a new trace.
  ///
  /// @param parent a `traceparent` as it came; one that is not valid counts as none
  public <T extends @Nullable Object, X extends Throwable> T inSpan(
      String name, @Nullable String parent, ScopedValue.CallableOp<T, X> body) throws X {
    var above = TraceParent.parse(parent).or(Traces::current);
    if (export == null) {
      var span = above.map(TraceParent::child).orElseGet(TraceParent::random);
      return ScopedValue.where(CURRENT, span).call(body);
    }
    try (var span = export.start(name, above)) {
      return span.record(() -> ScopedValue.where(CURRENT, span.ids()).call(body));
    }
  }

  @Override
  public void close() {
    if (export != null) export.close();
  }
}

package io.tidemill.observe;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The SDK of one process: starts spans that are recorded, and sends them to the processor given
/// and to the OTLP endpoint, if there is one.
final class SpanRecorder implements AutoCloseable {
  private static final long FLUSH_SECONDS = 2;

  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private final InstantSource clock;

  SpanRecorder(ObserveConfig config, @Nullable SpanProcessor processor, InstantSource clock) {
    this.clock = clock;
    var service = Attributes.of(AttributeKey.stringKey("service.name"), config.serviceName());
    var builder =
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(Resource.create(service)));
    if (processor != null) builder.addSpanProcessor(processor);
    if (!config.otlpEndpoint().isEmpty()) builder.addSpanProcessor(otlp(config.otlpEndpoint()));
    provider = builder.build();
    tracer = provider.get("io.tidemill");
  }

  // Sends in batches, from a thread of its own.
  private static SpanProcessor otlp(String endpoint) {
    return BatchSpanProcessor.builder(OtlpHttpSpanExporter.builder().setEndpoint(endpoint).build())
        .build();
  }

  ActiveSpan start(SpanKind kind, String name, String role, @Nullable TraceParent parent) {
    return start(kind, name, role, parent, nowMicros(), System.nanoTime());
  }

  ActiveSpan start(
      SpanKind kind,
      String name,
      String role,
      @Nullable TraceParent parent,
      long startMicros,
      long startNanos) {
    var builder =
        tracer
            .spanBuilder(ActiveSpan.cut(name, ActiveSpan.LONGEST_NAME))
            .setParent(parent == null ? Context.root() : context(parent))
            .setStartTimestamp(startMicros, TimeUnit.MICROSECONDS)
            .setAttribute(SpanAttributes.KIND, kind.wire());
    if (!role.isEmpty()) builder.setAttribute(SpanAttributes.ROLE, role);
    return new ActiveSpan(this, builder.startSpan(), role, startMicros, startNanos);
  }

  // Always sampled: for others the SDK is not asked.
  private static Context context(TraceParent parent) {
    var ids =
        SpanContext.createFromRemoteParent(
            parent.traceId(), parent.spanId(), TraceFlags.getSampled(), TraceState.getDefault());
    return Context.root().with(Span.wrap(ids));
  }

  /// The wall clock's time at a moment of [System#nanoTime].
  long microsAt(long nanos) {
    return nowMicros() - (System.nanoTime() - nanos) / 1_000;
  }

  private long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  @Override
  public void close() {
    provider.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS);
  }
}

package io.tidemill.observe;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sends spans to an OTLP endpoint, in batches from a thread of its own.
final class SpanExport implements AutoCloseable {
  private static final long FLUSH_SECONDS = 2;

  private final SdkTracerProvider provider;
  private final Tracer tracer;

  private SpanExport(SdkTracerProvider provider) {
    this.provider = provider;
    this.tracer = provider.get("io.tidemill");
  }

  static SpanExport to(ObserveConfig config) {
    var exporter = OtlpHttpSpanExporter.builder().setEndpoint(config.otlpEndpoint()).build();
    var service = Attributes.of(AttributeKey.stringKey("service.name"), config.serviceName());
    return new SpanExport(
        SdkTracerProvider.builder()
            .setResource(Resource.getDefault().merge(Resource.create(service)))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build());
  }

  Running start(String name, Optional<TraceParent> parent) {
    var context = parent.map(SpanExport::remote).orElse(Context.root());
    return new Running(tracer.spanBuilder(name).setParent(context).startSpan());
  }

  private static Context remote(TraceParent parent) {
    var flags = parent.sampled() ? TraceFlags.getSampled() : TraceFlags.getDefault();
    var ids =
        SpanContext.createFromRemoteParent(
            parent.traceId(), parent.spanId(), flags, TraceState.getDefault());
    return Context.root().with(Span.wrap(ids));
  }

  @Override
  public void close() {
    provider.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS);
  }

  /// A span that has begun and ends when closed.
  record Running(Span span) implements AutoCloseable {
    TraceParent ids() {
      var ids = span.getSpanContext();
      return new TraceParent(ids.getTraceId(), ids.getSpanId(), ids.isSampled());
    }

    <T extends @Nullable Object, X extends Throwable> T record(ScopedValue.CallableOp<T, X> body)
        throws X {
      try {
        return body.call();
      } catch (Throwable failed) {
        span.setStatus(StatusCode.ERROR).recordException(failed);
        throw failed;
      }
    }

    @Override
    public void close() {
      span.end();
    }
  }
}

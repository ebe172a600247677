package io.tidemill.observe;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Sends spans to an OTLP endpoint, in batches from a thread of its own.
final class SpanExport implements AutoCloseable {
  private static final long FLUSH_SECONDS = 2;
  private static final AttributeKey<List<String>> OBJECTS =
      AttributeKey.stringArrayKey("tidemill.objects");

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

  Running start(String name, @Nullable TraceParent parent, long startMicros) {
    var context = parent == null ? Context.root() : remote(parent);
    return new Running(
        tracer
            .spanBuilder(name)
            .setParent(context)
            .setStartTimestamp(startMicros, TimeUnit.MICROSECONDS)
            .startSpan());
  }

  private static Context remote(TraceParent parent) {
    var ids =
        SpanContext.createFromRemoteParent(
            parent.traceId(),
            parent.spanId(),
            TraceFlags.getSampled(), // what is not sampled does not come here
            TraceState.getDefault());
    return Context.root().with(io.opentelemetry.api.trace.Span.wrap(ids));
  }

  @Override
  public void close() {
    provider.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS);
  }

  /// A span that has begun.
  record Running(io.opentelemetry.api.trace.Span span) {
    TraceParent ids() {
      var ids = span.getSpanContext();
      return new TraceParent(ids.getTraceId(), ids.getSpanId(), ids.isSampled());
    }

    void end(Span as) {
      span.setAttribute("tidemill.kind", as.kind().wire());
      if (!as.role().isEmpty()) span.setAttribute("tidemill.role", as.role());
      as.attributes().forEach((key, value) -> span.setAttribute("tidemill." + key, value));
      if (!as.objects().isEmpty()) span.setAttribute(OBJECTS, as.objects());
      if (as.error() != null) span.setStatus(StatusCode.ERROR, as.error());
      span.end(as.startMicros() + as.durationMicros(), TimeUnit.MICROSECONDS);
    }
  }
}

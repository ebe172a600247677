package io.tidemill.support;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.tidemill.trace.StoredSpan;
import java.util.function.Consumer;

/// Passes spans that end to a test, in the form that is stored.
public record SpanConsumer(Consumer<StoredSpan> consumer) implements SpanProcessor {
  @Override
  public boolean isStartRequired() {
    return false;
  }

  @Override
  public void onStart(Context parent, ReadWriteSpan span) {}

  @Override
  public boolean isEndRequired() {
    return true;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    consumer.accept(StoredSpan.of(span.toSpanData()));
  }
}

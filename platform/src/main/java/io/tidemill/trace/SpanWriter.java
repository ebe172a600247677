package io.tidemill.trace;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes spans to the [TraceStore] from a thread of its own. Spans that come faster than Redis
/// takes them, or while Redis does not answer, are dropped and counted.
///
/// The SDK's own batch processor would not count what it drops among our metrics.
public final class SpanWriter implements SpanProcessor, Service {
  private static final Logger log = LoggerFactory.getLogger(SpanWriter.class);
  private static final int QUEUE_SIZE = 8_192;
  private static final int BATCH_SIZE = 1_024;
  // Spans of one trace end close together; one write takes all of them.
  private static final Duration LINGER = Duration.ofMillis(50);

  private final TraceStore traces;
  private final String process;
  private final BlockingQueue<StoredSpan> queue = new ArrayBlockingQueue<>(QUEUE_SIZE);
  private final Cache<String, Boolean> full =
      Caffeine.newBuilder().maximumSize(1_000).expireAfterWrite(Duration.ofMinutes(10)).build();
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final PeriodicTask rounds = new PeriodicTask("spans", Duration.ZERO, this::write);
  private final Counter kept;
  private final Counter dropped;
  private final Counter truncated;
  private final AtomicBoolean isAway = new AtomicBoolean();

  /// @param process its name, such as `host:pid`
  public SpanWriter(TraceStore traces, String process, MeterRegistry metrics) {
    this.traces = traces;
    this.process = process;
    kept = counter("kept", metrics);
    dropped = counter("dropped", metrics);
    truncated = counter("truncated", metrics);
  }

  private static Counter counter(String end, MeterRegistry metrics) {
    return Counter.builder("traces.spans")
        .description("Spans of this process: kept, dropped, or beyond what is kept of one trace")
        .tag("end", end)
        .register(metrics);
  }

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
    accept(StoredSpan.of(span.toSpanData()));
  }

  /// Queues a span; neither blocks nor throws.
  public void accept(StoredSpan span) {
    if (span.objects().isEmpty() && full.getIfPresent(span.traceId()) != null) {
      truncated.increment();
    } else if (!queue.offer(span)) {
      dropped.increment();
    }
  }

  @Override
  public String name() {
    return rounds.name();
  }

  @Override
  public void start() {
    rounds.start();
  }

  /// Writes the rest of the queue, unless Redis is away.
  @Override
  public void stop() {
    rounds.stop();
    var rest = new ArrayList<StoredSpan>();
    queue.drainTo(rest);
    if (isAway.get()) dropped.increment(rest.size());
    else writeAll(rest);
    calls.shutdownNow();
  }

  private void write() throws InterruptedException {
    var batch = new ArrayList<>(List.of(queue.take()));
    try {
      Thread.sleep(LINGER);
    } finally {
      queue.drainTo(batch, BATCH_SIZE - 1);
      writeAll(batch);
    }
  }

  // In parallel, so that the Redis client sends all traces in one batch.
  private void writeAll(List<StoredSpan> spans) {
    var byTrace = spans.stream().collect(Collectors.groupingBy(StoredSpan::traceId));
    CompletableFuture.allOf(
            byTrace.values().stream()
                .map(trace -> CompletableFuture.runAsync(() -> writeTrace(trace), calls))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }

  private void writeTrace(List<StoredSpan> spans) {
    try {
      if (traces.keep(spans, process)) full.put(spans.getFirst().traceId(), true);
      kept.increment(spans.size());
      isAway.set(false);
    } catch (RuntimeException away) {
      dropped.increment(spans.size());
      if (!isAway.getAndSet(true)) log.warn("spans are dropped: {}", away.getMessage());
    }
  }
}

package io.tidemill.trace;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.observe.Span;
import io.tidemill.observe.SpanSink;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings spans into the [TraceStore], behind the back of whoever made them: what comes faster than
/// Redis takes it, or while Redis is away, is dropped and counted.
public final class SpanWriter implements SpanSink, Service {
  private static final Logger log = LoggerFactory.getLogger(SpanWriter.class);
  private static final int MOST_WAITING = 8_192;
  private static final int AT_ONCE = 1_024;
  // Spans of one trace come together: so they are written together.
  private static final Duration LINGER = Duration.ofMillis(50);

  private final TraceStore traces;
  private final String process;
  private final BlockingQueue<Span> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
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
  public void accept(Span span) {
    if (span.objects().isEmpty() && full.getIfPresent(span.traceId()) != null) {
      truncated.increment();
    } else if (!waiting.offer(span)) {
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

  /// Writes what is there, if Redis takes it soon.
  @Override
  public void stop() {
    rounds.stop();
    var rest = new ArrayList<Span>();
    waiting.drainTo(rest);
    if (isAway.get()) dropped.increment(rest.size());
    else keep(rest);
    calls.shutdownNow();
  }

  private void write() throws InterruptedException {
    var batch = new ArrayList<>(List.of(waiting.take()));
    try {
      Thread.sleep(LINGER);
    } finally {
      waiting.drainTo(batch, AT_ONCE - 1);
      keep(batch);
    }
  }

  // All at once, so that they share a batch of the client.
  private void keep(List<Span> spans) {
    var byTrace = new LinkedHashMap<String, List<Span>>();
    for (var span : spans) {
      byTrace.computeIfAbsent(span.traceId(), _ -> new ArrayList<>()).add(span);
    }
    CompletableFuture.allOf(
            byTrace.values().stream()
                .map(one -> CompletableFuture.runAsync(() -> keepOne(one), calls))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }

  private void keepOne(List<Span> spans) {
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

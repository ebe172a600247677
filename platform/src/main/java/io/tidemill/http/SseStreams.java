package io.tidemill.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The open event streams, so that a stopping server can end them.
public final class SseStreams {
  private final Set<Thread> writers = ConcurrentHashMap.newKeySet();
  private boolean stopping;

  public SseStreams(MeterRegistry registry) {
    Gauge.builder("http.server.sse.streams", writers, Set::size)
        .description("event streams that are open")
        .register(registry);
  }

  public synchronized void start() {
    stopping = false;
  }

  /// Registers the calling thread as the writer of a stream; false when the server stops.
  public synchronized boolean enter() {
    if (stopping) return false;
    writers.add(Thread.currentThread());
    return true;
  }

  /// Unregisters the calling thread and clears the interrupt that ended its stream.
  public synchronized void leave() {
    writers.remove(Thread.currentThread());
    if (stopping) Thread.interrupted();
  }

  public synchronized void stop() {
    stopping = true;
    writers.forEach(Thread::interrupt);
  }
}

package io.tidemill.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The event streams that are open; all of them can be asked to end.
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

  /// The calling thread writes a stream from now on; false when the server stops.
  public synchronized boolean enter() {
    if (stopping) return false;
    writers.add(Thread.currentThread());
    return true;
  }

  /// The calling thread is done; an interrupt that came to end its stream goes no further.
  public synchronized void leave() {
    writers.remove(Thread.currentThread());
    if (stopping) Thread.interrupted();
  }

  public synchronized void stop() {
    stopping = true;
    writers.forEach(Thread::interrupt);
  }
}

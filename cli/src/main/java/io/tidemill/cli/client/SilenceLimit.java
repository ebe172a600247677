package io.tidemill.cli.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/// Closes a stream that has been silent for too long: a dead peer sends nothing, not even an end.
final class SilenceLimit implements AutoCloseable {
  private final long limitNanos;
  private final InputStream stream;
  private final Thread watch;
  private volatile long heardNanos = System.nanoTime();

  SilenceLimit(Duration limit, InputStream stream) {
    this.limitNanos = limit.toNanos();
    this.stream = stream;
    watch = Thread.ofVirtual().name("silence-limit").start(this::watch);
  }

  void heard() {
    heardNanos = System.nanoTime();
  }

  private void watch() {
    try {
      long left;
      while ((left = heardNanos + limitNanos - System.nanoTime()) > 0) {
        Thread.sleep(Duration.ofNanos(left));
      }
      stream.close();
    } catch (InterruptedException done) {
      // The stream ended before the silence did.
    } catch (IOException broken) {
      // Then it is no longer silent: the reader hears the same.
    }
  }

  @Override
  public void close() {
    watch.interrupt();
  }
}

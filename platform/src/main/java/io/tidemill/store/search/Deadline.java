package io.tidemill.store.search;

import java.time.Duration;
import org.apache.lucene.index.QueryTimeout;

/// The moment at which a search has to come to an end (F50).
final class Deadline implements QueryTimeout {
  private final long end;

  private Deadline(long end) {
    this.end = end;
  }

  static Deadline after(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  @Override
  public boolean shouldExit() {
    return System.nanoTime() - end > 0;
  }
}

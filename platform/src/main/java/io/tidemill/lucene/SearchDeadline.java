package io.tidemill.lucene;

import java.time.Duration;
import org.apache.lucene.index.QueryTimeout;

/// The deadline of a search (F50).
public final class SearchDeadline implements QueryTimeout {
  private final long end;

  private SearchDeadline(long end) {
    this.end = end;
  }

  public static SearchDeadline after(Duration time) {
    return new SearchDeadline(System.nanoTime() + time.toNanos());
  }

  @Override
  public boolean shouldExit() {
    return System.nanoTime() - end > 0;
  }
}

package io.tidemill.analytics;

import org.jspecify.annotations.Nullable;

/// Items one after the other, however many there are; to be closed.
public final class ItemStream implements AutoCloseable {
  private final QueryRows rows;

  ItemStream(QueryRows rows) {
    this.rows = rows;
  }

  /// The next; null after the last.
  public @Nullable StoredItem next() {
    return rows.next(ItemRows::read);
  }

  @Override
  public void close() {
    rows.close();
  }
}

package io.tidemill.analytics;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Items one after the other, however many there are; to be closed.
public final class ItemStream implements AutoCloseable {
  private final Connection connection;
  private final PreparedStatement query;
  private final ResultSet rows;

  ItemStream(Connection connection, PreparedStatement query, ResultSet rows) {
    this.connection = connection;
    this.query = query;
    this.rows = rows;
  }

  /// The next; null after the last.
  public @Nullable StoredItem next() {
    try {
      return rows.next() ? ItemRows.read(rows) : null;
    } catch (SQLException failed) {
      throw new AnalyticsException("items can't be read", failed);
    }
  }

  @Override
  public void close() {
    try (connection;
        query;
        rows) {
      // all three, whichever of them fails
    } catch (SQLException gone) {
      throw new AnalyticsException("a query did not end", gone);
    }
  }
}

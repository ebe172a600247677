package io.tidemill.analytics;

import io.tidemill.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// The rows of a query on a connection of its own, however many there are; to be closed.
///
/// Reads ahead a few thousand rows, never all of them.
final class QueryRows implements AutoCloseable {
  private static final int READ_AHEAD = 1_000;

  private final String what;
  private final Connection connection;
  private final PreparedStatement query;
  private final ResultSet rows;

  private QueryRows(String what, Connection connection, PreparedStatement query, ResultSet rows) {
    this.what = what;
    this.connection = connection;
    this.query = query;
    this.rows = rows;
  }

  /// Fills in what a query asks for.
  @FunctionalInterface
  interface Arguments {
    void bind(PreparedStatement query) throws SQLException;
  }

  /// Reads one row.
  @FunctionalInterface
  interface RowReader<T> {
    @Nullable T read(ResultSet row) throws SQLException;
  }

  /// @param what the rows are, such as `items`, and
  /// @param whose, such as a project's name: failures say so
  /// @throws AnalyticsException when the database does not answer
  static QueryRows open(
      SqlDatabase database, String what, String whose, String sql, Arguments arguments) {
    Connection connection = null;
    try {
      connection = database.connect();
      var query = connection.prepareStatement(sql);
      query.setFetchSize(READ_AHEAD);
      arguments.bind(query);
      var rows = database.await(query, query::executeQuery);
      return new QueryRows(what, connection, query, rows);
    } catch (SQLException failed) {
      closeQuietly(connection);
      throw AnalyticsException.of(
          "%s of %s can't be read".formatted(what, whose), failed, database);
    }
  }

  private static void closeQuietly(@Nullable Connection connection) {
    try {
      if (connection != null) connection.close();
    } catch (SQLException gone) {
      // The failure that brought us here is the one to tell.
    }
  }

  /// The next; null after the last.
  <T> @Nullable T next(RowReader<T> reader) {
    try {
      return rows.next() ? reader.read(rows) : null;
    } catch (SQLException failed) {
      throw new AnalyticsException(what + " can't be read", failed);
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

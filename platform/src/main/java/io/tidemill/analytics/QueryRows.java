package io.tidemill.analytics;

import io.tidemill.sql.SqlDatabase;
import io.tidemill.sql.SqlDatabase.RowReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of a query on its own connection, read a few thousand at a time; the caller closes it.
public final class QueryRows<T> implements AutoCloseable {
  private static final int READ_AHEAD = 1_000;

  private final String what;
  private final Connection connection;
  private final PreparedStatement query;
  private final ResultSet rows;
  private final RowReader<T> reader;

  private QueryRows(
      String what,
      Connection connection,
      PreparedStatement query,
      ResultSet rows,
      RowReader<T> reader) {
    this.what = what;
    this.connection = connection;
    this.query = query;
    this.rows = rows;
    this.reader = reader;
  }

  /// @param what the kind of rows, such as `items`, for error messages
  /// @param whose their owner, such as a project's name, for error messages
  /// @throws AnalyticsException when the database does not answer
  static <T> QueryRows<T> open(
      SqlDatabase database,
      String what,
      String whose,
      String sql,
      List<?> values,
      RowReader<T> reader) {
    Connection connection = null;
    try {
      connection = database.connect();
      var query = connection.prepareStatement(sql);
      query.setFetchSize(READ_AHEAD);
      SqlDatabase.bind(query, values);
      var rows = database.await(query, query::executeQuery);
      return new QueryRows<>(what, connection, query, rows, reader);
    } catch (SQLException failed) {
      closeQuietly(connection);
      throw AnalyticsException.of(
          "%s of %s can't be read".formatted(what, whose), failed, database);
    }
  }

  private static void closeQuietly(@Nullable Connection connection) {
    try {
      if (connection != null) connection.close();
    } catch (SQLException ignored) {
      // The first failure is the one to report.
    }
  }

  /// The next row; null after the last.
  public @Nullable T next() {
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
    } catch (SQLException failed) {
      throw new AnalyticsException("a query did not end", failed);
    }
  }
}

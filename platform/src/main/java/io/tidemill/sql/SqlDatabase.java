package io.tidemill.sql;

import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A database with the operations in which DuckDB and PostgreSQL differ; both run the same SQL.
public sealed interface SqlDatabase extends AutoCloseable permits DuckDatabase, PostgresDatabase {
  /// The database opens on the first [#connect].
  static SqlDatabase of(AnalyticsConfig config, Path dataFolder, SchemaMigrations migrations) {
    return config.isPostgres()
        ? new PostgresDatabase(config, migrations)
        : new DuckDatabase(config, config.file(dataFolder), migrations);
  }

  /// The suffix of migrations for this database only.
  String dialect();

  /// A connection in a transaction, with all migrations applied. Closing it rolls back.
  ///
  /// @throws SQLException when the database is not reachable
  Connection connect() throws SQLException;

  /// Opens the database's bulk loader for a table.
  RowWriter append(Connection connection, String table) throws SQLException;

  /// Reads all rows of a query.
  default <T> List<T> query(Connection connection, String sql, List<?> values, RowReader<T> reader)
      throws SQLException {
    try (var query = connection.prepareStatement(sql)) {
      bind(query, values);
      var found = new ArrayList<T>();
      try (var rows = await(query, query::executeQuery)) {
        while (rows.next()) found.add(reader.read(rows));
      }
      return found;
    }
  }

  /// Runs a statement that returns no rows.
  default void update(Connection connection, String sql, List<?> values) throws SQLException {
    try (var update = connection.prepareStatement(sql)) {
      bind(update, values);
      await(update, update::execute);
    }
  }

  /// Sets the parameters of a statement; texts become [storable][RowWriter#storable].
  static void bind(PreparedStatement statement, List<?> values) throws SQLException {
    for (var i = 0; i < values.size(); i++) {
      switch (values.get(i)) {
        case String text -> statement.setString(i + 1, RowWriter.storable(text));
        case Instant time ->
            statement.setObject(i + 1, LocalDateTime.ofInstant(time, ZoneOffset.UTC));
        case Array array -> statement.setArray(i + 1, array);
        case null -> statement.setNull(i + 1, Types.INTEGER);
        case Object other -> statement.setObject(i + 1, other);
      }
    }
  }

  /// Runs a call that may take long where it blocks no carrier thread.
  default <T> T await(Statement statement, SqlCall<T> call) throws SQLException {
    return call.call();
  }

  /// Commits, which may take long.
  default void commit(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      await(
          statement,
          () -> {
            connection.commit();
            return true;
          });
    }
  }

  /// Rows that one statement may move between tables.
  int slice();

  /// Whether a plain INSERT is much faster than one with ON CONFLICT.
  boolean asksForConflictsSlowly();

  /// Whether an INSERT failed because the row exists.
  boolean isConflict(SQLException failed);

  /// Blocks other processes that lock the same name until the transaction ends.
  default void lock(Connection connection, String name) throws SQLException {}

  /// Serialises writers, for databases that allow one only.
  default Turn turn() {
    return () -> {};
  }

  /// Whether a retry may succeed.
  boolean isPassing(SQLException failed);

  @Override
  void close();

  /// A call of the driver.
  @FunctionalInterface
  interface SqlCall<T> {
    T call() throws SQLException;
  }

  /// Maps the current row.
  @FunctionalInterface
  interface RowReader<T> {
    @Nullable T read(ResultSet row) throws SQLException;
  }

  /// The right to write, until it is closed.
  @FunctionalInterface
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }
}

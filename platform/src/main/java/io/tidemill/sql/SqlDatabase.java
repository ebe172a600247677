package io.tidemill.sql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;

/// A database. What differs between the two that we know is here; the SQL is the same for both.
public sealed interface SqlDatabase extends AutoCloseable permits DuckDatabase, PostgresDatabase {
  /// Not opened before somebody connects.
  static SqlDatabase of(AnalyticsConfig config, Path dataFolder, SchemaMigrations migrations) {
    return config.isPostgres()
        ? new PostgresDatabase(config, migrations)
        : new DuckDatabase(config, config.file(dataFolder), migrations);
  }

  /// What its own migrations are called after.
  String dialect();

  /// A connection in a transaction, with every migration done; to be closed, which rolls back.
  ///
  /// @throws SQLException when the database is not there
  Connection connect() throws SQLException;

  /// Adds rows to a table, all of them as fast as the database can.
  RowWriter append(Connection connection, String table) throws SQLException;

  /// Does what may take long, where it is in nobody's way.
  <T> T await(Statement statement, Callable<T> call) throws SQLException;

  /// Ends the transaction for good, which may take long.
  default void commit(Connection connection) throws SQLException {
    try (var anything = connection.createStatement()) {
      await(
          anything,
          () -> {
            connection.commit();
            return true;
          });
    }
  }

  /// How many rows it moves from table to table at once.
  int slice();

  /// Whether inserting is much faster without a word on what happens to rows that are there.
  boolean asksForConflictsSlowly();

  /// Whether a row could not be inserted because it is there.
  boolean isConflict(SQLException failed);

  /// Keeps other processes that ask for the same name waiting until the transaction ends.
  void lock(Connection connection, String name) throws SQLException;

  /// Held while tables are changed, by databases that take one writer only.
  Turn turn();

  /// Whether the same may well work later, whatever it is about.
  boolean isPassing(SQLException failed);

  @Override
  void close();

  /// A turn at writing.
  @FunctionalInterface
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }
}

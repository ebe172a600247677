package io.tidemill.store.analytics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Records for analysis in an embedded database, opened when first used. What a source stores
/// replaces what it stored before, all of it or nothing.
///
/// Safe for many threads; a file belongs to one process at a time.
public final class Analytics implements AutoCloseable {
  private static final String TABLE =
      """
      CREATE TABLE IF NOT EXISTS records (
        source VARCHAR NOT NULL,
        position BIGINT NOT NULL,
        stored_at TIMESTAMP NOT NULL,
        record JSON NOT NULL)
      """;
  // A source that stored nothing is known all the same.
  private static final String SOURCES =
      "CREATE TABLE IF NOT EXISTS sources (source VARCHAR NOT NULL, stored_at TIMESTAMP NOT NULL)";
  private static final String KNOWN =
      """
      SELECT source FROM sources WHERE source = ?1
      UNION ALL (SELECT source FROM records WHERE source = ?1 LIMIT 1)
      """;

  private final AnalyticsConfig config;
  private final Path file;
  private final InstantSource clock;
  // One at a time for one source: two would both find nothing to replace.
  private final ReentrantLock[] locks =
      IntStream.range(0, 64).mapToObj(_ -> new ReentrantLock()).toArray(ReentrantLock[]::new);
  private @Nullable DuckDBConnection database;
  private boolean closed;

  public Analytics(AnalyticsConfig config, Path dataFolder, InstantSource clock) {
    this.config = config;
    this.file = config.file(dataFolder);
    this.clock = clock;
  }

  /// Stores the records of a source, in place of those it stored before.
  ///
  /// @return how many there are now
  /// @throws IOException when the rows can't be read; then nothing has changed
  public long store(String source, JsonRows rows) throws IOException {
    var lock = locks[Math.floorMod(source.hashCode(), locks.length)];
    lock.lock();
    try (var connection = connect()) {
      connection.setAutoCommit(false);
      delete(connection, "records", source);
      delete(connection, "sources", source);
      var count = append(connection, source, rows);
      try (var anything = connection.createStatement()) {
        Duck.await(
            anything,
            () -> {
              connection.commit();
              return true;
            });
      }
      return count;
    } catch (SQLException failed) {
      throw new AnalyticsException("records of " + source + " can't be stored", failed);
    } finally {
      lock.unlock();
    }
  }

  private static void delete(DuckDBConnection connection, String table, String source)
      throws SQLException {
    try (var delete =
        connection.prepareStatement("DELETE FROM " + Duck.name(table) + " WHERE source = ?")) {
      delete.setString(1, source);
      Duck.await(delete, delete::executeUpdate);
    }
  }

  private long append(DuckDBConnection connection, String source, JsonRows rows)
      throws SQLException, IOException {
    var now = clock.instant().atOffset(ZoneOffset.UTC).toLocalDateTime();
    var count = 0L;
    try (var appender = connection.createAppender("records")) {
      for (var row = rows.next(); row != null; row = rows.next()) {
        appender.beginRow().append(source).append(count++).append(now).append(row).endRow();
      }
    }
    try (var appender = connection.createAppender("sources")) {
      appender.beginRow().append(source).append(now).endRow();
    }
    return count;
  }

  /// Whether the source ever stored anything, be it no records at all.
  public boolean isKnown(String source) {
    try (var known = query(KNOWN, source)) {
      return known.next() != null;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// The records that a source stored, in their order; to be closed.
  public JsonRows records(String source) {
    return query("SELECT record FROM records WHERE source = ? ORDER BY position", source);
  }

  private JsonRows query(String sql, String argument) {
    DuckDBConnection connection = null;
    try {
      connection = connect();
      var query = connection.prepareStatement(sql);
      query.setString(1, argument);
      return new Answer(connection, query, Duck.await(query, query::executeQuery));
    } catch (SQLException failed) {
      closeQuietly(connection);
      throw new AnalyticsException("records of " + argument + " can't be read", failed);
    }
  }

  private static void closeQuietly(@Nullable DuckDBConnection connection) {
    try {
      if (connection != null) connection.close();
    } catch (SQLException gone) {
      // The failure that brought us here is the one to tell.
    }
  }

  private synchronized DuckDBConnection connect() throws SQLException {
    if (closed) throw new SQLException("the database is closed");
    var open = database;
    if (open == null) {
      open = open();
      database = open;
    }
    return open.duplicate();
  }

  private DuckDBConnection open() throws SQLException {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
    } catch (IOException failed) {
      throw new SQLException("the folder of " + file + " can't be made", failed);
    }
    var open = Duck.open(file.toString(), config, Path.of(file + ".tmp"));
    try (var statement = open.createStatement()) {
      statement.execute(TABLE);
      statement.execute(SOURCES);
    }
    return open;
  }

  @Override
  public synchronized void close() {
    closed = true;
    closeQuietly(database);
    database = null;
  }

  /// Reads ahead a few thousand rows, never all of them.
  private record Answer(DuckDBConnection connection, PreparedStatement query, ResultSet rows)
      implements JsonRows {
    @Override
    public @Nullable String next() {
      try {
        return rows.next() ? rows.getString(1) : null;
      } catch (SQLException failed) {
        throw new AnalyticsException("records can't be read", failed);
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
}

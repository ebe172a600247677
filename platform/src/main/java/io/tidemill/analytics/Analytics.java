package io.tidemill.analytics;

import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.sql.DuckConnections;
import io.tidemill.sql.JsonRows;
import io.tidemill.sql.SchemaMigrations;
import io.tidemill.sql.SqlDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The analytics database, opened when first used: what was collected ([BatchStore],
/// [ProjectStore]), and records that steps of workflows store. What a source stores replaces what
/// it stored before, all of it or nothing.
///
/// Safe for many threads.
public final class Analytics implements AutoCloseable {
  private static final SchemaMigrations MIGRATIONS =
      new SchemaMigrations(
          Analytics.class,
          List.of("V1__records.sql", "V2__collected.sql", "V3__indexes.postgresql.sql"));

  private static final String KNOWN =
      """
      SELECT source FROM sources WHERE source = ?
      UNION ALL (SELECT source FROM records WHERE source = ? LIMIT 1)
      """;

  private final SqlDatabase database;
  private final InstantSource clock;
  // One at a time for one source: two would both find nothing to replace.
  private final ReentrantLock[] locks =
      IntStream.range(0, 64).mapToObj(_ -> new ReentrantLock()).toArray(ReentrantLock[]::new);

  public Analytics(AnalyticsConfig config, Path dataFolder, InstantSource clock) {
    this.database = SqlDatabase.of(config, dataFolder, MIGRATIONS);
    this.clock = clock;
  }

  /// What was collected, for whoever collects.
  public BatchStore batches() {
    return new BatchStore(database, clock);
  }

  /// What was collected, for whoever wants to know.
  public ProjectStore projects() {
    return new ProjectStore(database);
  }

  /// Asks the database for nothing.
  ///
  /// @throws AnalyticsException when it does not answer
  public void ping() {
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      statement.execute("SELECT 1");
    } catch (SQLException failed) {
      throw AnalyticsException.of("the analytics database does not answer", failed, database);
    }
  }

  /// How many items were collected.
  ///
  /// @throws AnalyticsException when the database does not answer
  public long items() {
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT count(*) FROM items")) {
      return rows.next() ? rows.getLong(1) : 0;
    } catch (SQLException failed) {
      throw AnalyticsException.of("the analytics database does not answer", failed, database);
    }
  }

  /// Stores the records of a source, in place of those it stored before.
  ///
  /// @return how many there are now
  /// @throws IOException when the rows can't be read; then nothing has changed
  public long store(String source, JsonRows rows) throws IOException {
    var lock = locks[Math.floorMod(source.hashCode(), locks.length)];
    lock.lock();
    try (var connection = database.connect()) {
      database.lock(connection, "records " + source);
      delete(connection, "records", source);
      delete(connection, "sources", source);
      var count = append(connection, source, rows);
      database.commit(connection);
      return count;
    } catch (SQLException failed) {
      throw AnalyticsException.of("records of " + source + " can't be stored", failed, database);
    } finally {
      lock.unlock();
    }
  }

  private void delete(Connection connection, String table, String source) throws SQLException {
    try (var delete =
        connection.prepareStatement(
            "DELETE FROM " + DuckConnections.name(table) + " WHERE source = ?")) {
      delete.setString(1, source);
      database.await(delete, delete::executeUpdate);
    }
  }

  private long append(Connection connection, String source, JsonRows rows)
      throws SQLException, IOException {
    var now = clock.instant();
    var count = 0L;
    try (var records = database.append(connection, "records")) {
      for (var row = rows.next(); row != null; row = rows.next()) {
        records.text(source).number(count++).time(now).text(row).end();
      }
    }
    try (var sources = database.append(connection, "sources")) {
      sources.text(source).time(now).end();
    }
    return count;
  }

  /// Whether the source ever stored anything, be it no records at all.
  public boolean isKnown(String source) {
    try (var known = query(KNOWN, source, source)) {
      return known.next() != null;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// The records that a source stored, in their order; to be closed.
  public JsonRows records(String source) {
    return query("SELECT record FROM records WHERE source = ? ORDER BY position", source);
  }

  private JsonRows query(String sql, String... arguments) {
    return new Answer(
        QueryRows.open(
            database,
            "records",
            arguments[0],
            sql,
            query -> {
              for (var i = 0; i < arguments.length; i++) query.setString(i + 1, arguments[i]);
            }));
  }

  @Override
  public void close() {
    database.close();
  }

  private record Answer(QueryRows rows) implements JsonRows {
    @Override
    public @Nullable String next() {
      return rows.next(row -> row.getString(1));
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}

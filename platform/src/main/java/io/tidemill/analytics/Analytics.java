package io.tidemill.analytics;

import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.sql.JsonRows;
import io.tidemill.sql.SchemaMigrations;
import io.tidemill.sql.SqlDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/// The analytics database, opened when first used: what was collected ([BatchStore],
/// [ProjectStore]), and records that steps of workflows store. What a source stores replaces what
/// it stored before, all of it or nothing.
///
/// Safe for many threads.
public final class Analytics implements AutoCloseable {
  static final SchemaMigrations MIGRATIONS =
      new SchemaMigrations(
          Analytics.class,
          List.of(
              "V1__records.sql",
              "V2__collected.sql",
              "V3__indexes.postgresql.sql",
              "V4__short_ids.duckdb.sql",
              "V4__short_ids.postgresql.sql"));

  private static final String KNOWN =
      """
      SELECT source FROM sources WHERE source = ?
      UNION ALL (SELECT source FROM records WHERE source = ? LIMIT 1)
      """;

  private final SqlDatabase database;
  private final InstantSource clock;
  // Serialises writers of one source: two of them would both find nothing to replace.
  private final ReentrantLock[] locks =
      IntStream.range(0, 64).mapToObj(_ -> new ReentrantLock()).toArray(ReentrantLock[]::new);

  public Analytics(AnalyticsConfig config, Path dataFolder, InstantSource clock) {
    this.database = SqlDatabase.of(config, dataFolder, MIGRATIONS);
    this.clock = clock;
  }

  /// The write side of the collected items.
  public BatchStore batches() {
    return new BatchStore(database, clock);
  }

  /// The read side of the collected items.
  public ProjectStore projects() {
    return new ProjectStore(database);
  }

  /// Checks that the database answers.
  ///
  /// @throws AnalyticsException when it does not answer
  public void ping() {
    count("SELECT 1");
  }

  /// The number of collected items.
  ///
  /// @throws AnalyticsException when the database does not answer
  public long items() {
    return count("SELECT count(*) FROM items");
  }

  private long count(String sql) {
    try (var connection = database.connect()) {
      return database.query(connection, sql, List.of(), row -> row.getLong(1)).getFirst();
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
      database.update(connection, "DELETE FROM records WHERE source = ?", List.of(source));
      database.update(connection, "DELETE FROM sources WHERE source = ?", List.of(source));
      var count = append(connection, source, rows);
      database.commit(connection);
      return count;
    } catch (SQLException failed) {
      throw AnalyticsException.of("records of " + source + " can't be stored", failed, database);
    } finally {
      lock.unlock();
    }
  }

  private long append(Connection connection, String source, JsonRows rows)
      throws SQLException, IOException {
    var now = clock.instant();
    var count = 0L;
    try (var records = database.append(connection, "records")) {
      for (var row = rows.next(); row != null; row = rows.next()) {
        records.add(source, count++, now, row);
      }
    }
    try (var sources = database.append(connection, "sources")) {
      sources.add(source, now);
    }
    return count;
  }

  /// Whether the source ever stored records, even an empty list.
  public boolean isKnown(String source) {
    try (var known = query(KNOWN, source, source)) {
      return known.next() != null;
    }
  }

  /// The records of a source in their order; the caller closes them.
  public QueryRows<String> records(String source) {
    return query("SELECT record FROM records WHERE source = ? ORDER BY position", source);
  }

  private QueryRows<String> query(String sql, String... values) {
    return QueryRows.open(
        database, "records", values[0], sql, List.of(values), row -> row.getString(1));
  }

  @Override
  public void close() {
    database.close();
  }
}

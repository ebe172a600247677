package io.tidemill.analytics;

import io.tidemill.sql.SqlDatabase;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Batches that were collected, each stored whole or not at all, and once (C5.6, F44).
public final class BatchStore {
  private final SqlDatabase database;
  private final InstantSource clock;

  BatchStore(SqlDatabase database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// A batch in the database.
  ///
  /// @param items of it that were stored
  /// @param announced whether its result has been published
  public record StoredBatch(String etag, int items, int failed, boolean announced) {}

  /// Finds any version of a batch.
  public Optional<StoredBatch> find(String key) {
    var sql = "SELECT etag, items, failed, announced FROM batches WHERE batch_key = ?";
    try (var connection = database.connect()) {
      return database
          .query(
              connection,
              sql,
              List.of(key),
              row ->
                  new StoredBatch(
                      row.getString(1), row.getInt(2), row.getInt(3), row.getBoolean(4)))
          .stream()
          .findFirst();
    } catch (SQLException failed) {
      throw AnalyticsException.of("batch " + key + " can't be looked up", failed, database);
    }
  }

  /// Starts a batch, which is not visible before its commit.
  public BatchWriter begin(CollectedBatch batch) {
    try {
      return new BatchWriter(database, batch, clock);
    } catch (SQLException failed) {
      throw AnalyticsException.of("a batch can't be stored", failed, database);
    }
  }

  /// Records that the result of a batch has been published.
  public void announced(String key) {
    try (var _ = database.turn();
        var connection = database.connect()) {
      var sql = "UPDATE batches SET announced = TRUE WHERE batch_key = ?";
      database.update(connection, sql, List.of(key));
      connection.commit();
    } catch (SQLException failed) {
      throw AnalyticsException.of("batch " + key + " can't be noted", failed, database);
    }
  }
}

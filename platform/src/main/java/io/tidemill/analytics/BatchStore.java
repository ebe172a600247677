package io.tidemill.analytics;

import io.tidemill.sql.SqlDatabase;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Optional;

/// Batches that were collected, each stored whole or not at all, and once (C5.6, F44).
public final class BatchStore {
  private final SqlDatabase database;
  private final InstantSource clock;

  BatchStore(SqlDatabase database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /// What is known of a batch.
  ///
  /// @param items of it that were stored
  /// @param announced whether its result has been told to others
  public record StoredBatch(String etag, int items, int failed, boolean announced) {}

  /// Looks whether some version of a batch is there.
  public Optional<StoredBatch> find(String key) {
    try (var connection = database.connect();
        var query =
            connection.prepareStatement(
                "SELECT etag, items, failed, announced FROM batches WHERE batch_key = ?")) {
      query.setString(1, key);
      try (var row = query.executeQuery()) {
        if (!row.next()) return Optional.empty();
        return Optional.of(
            new StoredBatch(row.getString(1), row.getInt(2), row.getInt(3), row.getBoolean(4)));
      }
    } catch (SQLException failed) {
      throw AnalyticsException.of("batch " + key + " can't be looked up", failed, database);
    }
  }

  /// Begins to store a batch; nobody sees anything of it before it is committed.
  public BatchWriter begin(CollectedBatch batch) {
    try {
      return new BatchWriter(database, batch, clock);
    } catch (SQLException failed) {
      throw AnalyticsException.of("a batch can't be stored", failed, database);
    }
  }

  /// Notes that the result of a batch has been told to others.
  public void announced(String key) {
    try (var _ = database.turn();
        var connection = database.connect();
        var update =
            connection.prepareStatement(
                "UPDATE batches SET announced = TRUE WHERE batch_key = ?")) {
      update.setString(1, key);
      update.executeUpdate();
      connection.commit();
    } catch (SQLException failed) {
      throw AnalyticsException.of("batch " + key + " can't be noted", failed, database);
    }
  }
}

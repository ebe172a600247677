package io.tidemill.analytics;

import io.tidemill.analytics.BatchStore.StoredBatch;
import io.tidemill.sql.RowWriter;
import io.tidemill.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Stores one batch in one transaction: rows go to tables that only this connection sees, in
/// portions, and all at once from there to where others see them.
///
/// Used by one thread; closing it before the commit leaves nothing behind.
public final class BatchWriter implements AutoCloseable {
  private static final int PORTION = 500;
  private static final int MOST_FAILURES = 10_000;
  // Beyond this number the database removes duplicates.
  private static final int MOST_IDS = 5_000;

  // Of duplicates in the batch the last one counts.
  private static final String REPEATED =
      """
      DELETE FROM staged_items WHERE EXISTS (
        SELECT 1 FROM staged_items later WHERE later.project_id = staged_items.project_id
          AND later.platform = staged_items.platform AND later.item_id = staged_items.item_id
          AND later.position > staged_items.position)
      """;
  // Whoever was collected later wins, whichever comes first. In order, so that two who store the
  // same items wait for each other only one way.
  private static final String ITEMS =
      """
      INSERT INTO items SELECT * FROM staged_items WHERE position >= ? AND position < ?
      ORDER BY project_id, platform, item_id
      """;
  private static final String NEWEST_STAYS =
      """
      ON CONFLICT (project_id, platform, item_id) DO UPDATE SET %s
      WHERE excluded.batch_key = items.batch_key
        OR excluded.collected_at > items.collected_at
        OR (excluded.collected_at = items.collected_at AND excluded.batch_key > items.batch_key)
      """
          .formatted(
              ItemRows.COLUMNS.stream()
                  .filter(name -> !ItemRows.KEY.contains(name))
                  .map(name -> name + " = excluded." + name)
                  .collect(Collectors.joining(", ")));
  private static final String LEFT_OVER =
      """
      DELETE FROM items WHERE batch_key = ? AND NOT EXISTS (
        SELECT 1 FROM staged_items s WHERE s.project_id = items.project_id
          AND s.platform = items.platform AND s.item_id = items.item_id)
      """;
  private static final String NEW_BATCH =
      """
      INSERT INTO batches (batch_key, etag, format, event_id, project_id, job_id, platform,
        batch_index, bucket, path, content_count, items, failed, collected_at, stored_at, announced)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, FALSE)
      """;
  private static final String OR_ANOTHER_VERSION =
      """
      ON CONFLICT (batch_key) DO UPDATE SET etag = excluded.etag, format = excluded.format,
        event_id = excluded.event_id, content_count = excluded.content_count,
        items = excluded.items, failed = excluded.failed, collected_at = excluded.collected_at,
        stored_at = excluded.stored_at, announced = FALSE
      """;

  private final SqlDatabase database;
  private final CollectedBatch batch;
  private final InstantSource clock;
  private final Connection connection;
  private final DuplicateFinder originals;
  private final List<CollectedItem> items = new ArrayList<>(PORTION);
  private final List<ItemFailure> failures = new ArrayList<>();
  private int itemCount;
  private int lastPosition = -1;
  private final Set<String> ids = new HashSet<>();
  private boolean hasRepeated;
  private int failureCount;

  BatchWriter(SqlDatabase database, CollectedBatch batch, InstantSource clock) throws SQLException {
    this.database = database;
    this.batch = batch;
    this.clock = clock;
    connection = database.connect();
    originals = new DuplicateFinder(database, connection);
    try {
      dropStaged(); // left by a batch that was not finished
      run("CREATE TEMP TABLE staged_items AS SELECT * FROM items LIMIT 0");
      run("CREATE TEMP TABLE staged_failures AS SELECT * FROM failures LIMIT 0");
    } catch (SQLException failed) {
      connection.close();
      throw failed;
    }
  }

  private void run(String sql) throws SQLException {
    database.update(connection, sql, List.of());
  }

  private void dropStaged() throws SQLException {
    run("DROP TABLE IF EXISTS staged_items");
    run("DROP TABLE IF EXISTS staged_failures");
  }

  public void add(CollectedItem item) {
    items.add(item);
    itemCount++;
    lastPosition = Math.max(lastPosition, item.position());
    if (itemCount <= MOST_IDS && !ids.add(item.platform() + "\n" + item.id())) hasRepeated = true;
    if (items.size() >= PORTION) stage();
  }

  public void fail(ItemFailure failure) {
    // All are counted; a batch that is nothing else need not fill the table.
    if (failureCount++ < MOST_FAILURES) failures.add(failure);
    if (failures.size() >= PORTION) stage();
  }

  private void stage() {
    try {
      if (!items.isEmpty()) {
        var copies = originals.among(items);
        try (var rows = database.append(connection, "staged_items")) {
          for (var i = 0; i < items.size(); i++) {
            ItemRows.write(rows, batch, items.get(i), copies.get(i));
          }
        }
        items.clear();
      }
      if (!failures.isEmpty()) {
        try (var rows = database.append(connection, "staged_failures")) {
          for (var failure : failures) write(rows, failure);
        }
        failures.clear();
      }
    } catch (SQLException failed) {
      throw failure(failed);
    }
  }

  private void write(RowWriter rows, ItemFailure failure) throws SQLException {
    rows.add(
        batch.key(),
        failure.projectId(),
        failure.platform(),
        failure.position(),
        failure.id(),
        failure.url(),
        failure.code(),
        failure.category(),
        failure.message(),
        batch.collectedAt());
  }

  /// Makes the batch visible.
  ///
  /// @return empty when this version of it is there already; then nothing has changed
  public Optional<StoredBatch> commit() {
    stage();
    try (var _ = database.turn()) {
      if (hasRepeated || itemCount > MOST_IDS) run(REPEATED);
      // What follows must see all that others have committed.
      connection.commit();
      database.lock(connection, "batch " + batch.key());
      var before = etag();
      if (before.filter(batch.etag()::equals).isPresent()) return Optional.empty();

      moveItems(before.isEmpty());
      if (before.isPresent()) {
        database.update(
            connection, "DELETE FROM failures WHERE batch_key = ?", List.of(batch.key()));
        database.update(connection, LEFT_OVER, List.of(batch.key()));
      }
      if (failureCount > 0) run("INSERT INTO failures SELECT * FROM staged_failures");
      noteBatch(before.isEmpty() ? NEW_BATCH : NEW_BATCH + OR_ANOTHER_VERSION);
      database.commit(connection);
      return Optional.of(new StoredBatch(batch.etag(), itemCount, failureCount, false));
    } catch (SQLException failed) {
      throw failure(failed);
    }
  }

  // Most items of most batches are new, and DuckDB is several times as fast when it need not ask.
  private void moveItems(boolean isNew) throws SQLException {
    if (isNew && database.asksForConflictsSlowly()) {
      try {
        moveItems(ITEMS);
        return;
      } catch (SQLException failed) {
        if (!database.isConflict(failed)) throw failed;
        connection.rollback(); // nothing else has been done yet
      }
    }
    moveItems(ITEMS + NEWEST_STAYS);
  }

  private void moveItems(String sql) throws SQLException {
    for (var from = 0L; from <= lastPosition; from += database.slice()) {
      database.update(connection, sql, List.of(from, from + database.slice()));
    }
  }

  private Optional<String> etag() throws SQLException {
    var sql = "SELECT etag FROM batches WHERE batch_key = ?";
    return database.query(connection, sql, List.of(batch.key()), row -> row.getString(1)).stream()
        .findFirst();
  }

  private void noteBatch(String sql) throws SQLException {
    database.update(
        connection,
        sql,
        Arrays.asList(
            batch.key(),
            batch.etag(),
            batch.format(),
            batch.eventId(),
            batch.projectId(),
            batch.jobId(),
            batch.platform(),
            batch.index(),
            batch.bucket(),
            batch.path(),
            batch.contentCount(),
            itemCount,
            failureCount,
            batch.collectedAt(),
            clock.instant()));
  }

  private AnalyticsException failure(SQLException failed) {
    return AnalyticsException.of("a batch can't be stored", failed, database);
  }

  @Override
  public void close() {
    try (connection) {
      connection.rollback();
      dropStaged();
      connection.commit();
    } catch (SQLException gone) {
      // The connection is lost, and with it the temporary tables.
    }
  }
}

package io.tidemill.analytics;

import io.tidemill.sql.SqlDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds near-duplicates of earlier items in the database and in the same batch.
///
/// Items are compared with originals only, so that a text with ten thousand copies is looked up
/// once.
final class DuplicateFinder {
  private static final int NEAR = 3;
  private static final int MOST_KNOWN = 50_000;

  private static final String NEAR_THESE =
      """
      SELECT platform, item_id, fingerprint FROM items
      WHERE project_id = ? AND duplicate_of IS NULL AND fingerprint <> 0
        AND (band0 = ANY(?) OR band1 = ANY(?) OR band2 = ANY(?) OR band3 = ANY(?))
      """;

  private record Original(String platform, String id, long fingerprint) {}

  private final SqlDatabase database;
  private final Connection connection;
  // By project, number of the band, and its value.
  private final Map<String, List<Original>> known = new HashMap<>();
  private int size;

  DuplicateFinder(SqlDatabase database, Connection connection) {
    this.database = database;
    this.connection = connection;
  }

  /// For each item the id of its original; null when it is one itself.
  List<@Nullable String> among(List<CollectedItem> items) throws SQLException {
    if (size > MOST_KNOWN) {
      known.clear();
      size = 0;
    }
    var byProject = new LinkedHashMap<String, List<CollectedItem>>();
    for (var item : items) {
      if (item.findings().fingerprint() != 0) {
        byProject.computeIfAbsent(item.projectId(), _ -> new ArrayList<>()).add(item);
      }
    }
    for (var project : byProject.entrySet()) load(project.getKey(), project.getValue());
    var answer = new ArrayList<@Nullable String>(items.size());
    for (var item : items) answer.add(original(item));
    return answer;
  }

  private void load(String project, List<CollectedItem> items) throws SQLException {
    var values = new ArrayList<Object>(List.of(project));
    for (var band = 0; band < FingerprintBands.COUNT; band++) {
      values.add(connection.createArrayOf("INTEGER", values(items, band)));
    }
    database
        .query(
            connection,
            NEAR_THESE,
            values,
            row -> new Original(row.getString(1), row.getString(2), row.getLong(3)))
        .forEach(original -> remember(project, original));
  }

  private static Object[] values(List<CollectedItem> items, int band) {
    return items.stream()
        .map(item -> FingerprintBands.of(item.findings().fingerprint())[band])
        .distinct()
        .toArray();
  }

  private @Nullable String original(CollectedItem item) {
    var fingerprint = item.findings().fingerprint();
    if (fingerprint == 0) return null;
    var bands = FingerprintBands.of(fingerprint);
    for (var i = 0; i < bands.length; i++) {
      for (var other : known.getOrDefault(key(item.projectId(), i, bands[i]), List.of())) {
        if (Long.bitCount(other.fingerprint() ^ fingerprint) > NEAR) continue;
        if (!isSame(other, item)) return other.id();
      }
    }
    remember(item.projectId(), new Original(item.platform(), item.id(), fingerprint));
    return null;
  }

  private static boolean isSame(Original other, CollectedItem item) {
    return other.id().equals(item.id()) && other.platform().equals(item.platform());
  }

  private void remember(String project, Original original) {
    var bands = FingerprintBands.of(original.fingerprint());
    for (var i = 0; i < bands.length; i++) {
      var list = known.computeIfAbsent(key(project, i, bands[i]), _ -> new ArrayList<>(1));
      if (list.contains(original)) return;
      list.add(original);
    }
    size++;
  }

  private static String key(String project, int band, int value) {
    return band + ":" + value + ":" + project;
  }
}

package io.tidemill.analytics;

import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.sql.DuckConnections;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.Semaphore;

/// Converts rows of JSON to Parquet files, in bounded memory.
public final class ParquetFiles {
  /// What a column holds.
  public enum Type {
    TEXT("VARCHAR"),
    WHOLE("BIGINT"),
    NUMBER("DOUBLE"),
    FLAG("BOOLEAN");

    private final String sql;

    Type(String sql) {
      this.sql = sql;
    }
  }

  /// One column of a table.
  public record Column(String name, Type type) {}

  /// DuckDB holds a piece of every column in memory: more would not fit.
  public static final int MOST_COLUMNS = 500;

  private static final int AT_ONCE = 2;

  private static final int LONGEST_ROW = 8 * 1024 * 1024;
  // A group of rows is in memory as a whole, several times over, and once for each thread.
  private static final long BYTES_OF_A_GROUP = 16L * 1024 * 1024;
  private static final int MOST_ROWS_OF_A_GROUP = 60 * 1024;
  private static final int LEAST_ROWS_OF_A_GROUP = 16;
  private static final int LARGE_ROW = 8 * 1024;
  private static final int MANY_COLUMNS = 100;

  // Each file takes memory outside of the heap while it is written.
  private final Semaphore room = new Semaphore(AT_ONCE);
  private final AnalyticsConfig config;
  private final Path scratch;

  /// @param scratch where DuckDB puts what does not fit into its memory
  public ParquetFiles(AnalyticsConfig config, Path scratch) {
    this.config = config;
    this.scratch = scratch;
  }

  /// The name that a row has for its value of a column.
  public static String key(int column) {
    return "c" + column;
  }

  /// Writes a Parquet file.
  ///
  /// @param rows NDJSON: objects whose fields are named by [#key]; what is missing is null
  /// @param count how many rows there are
  /// @param columns at least one, and no more than [#MOST_COLUMNS]
  public void parquet(Path rows, long count, List<Column> columns, Path parquet)
      throws IOException, InterruptedException {
    room.acquire();
    try {
      write(rows, count, columns, parquet);
    } finally {
      room.release();
    }
  }

  private void write(Path rows, long count, List<Column> columns, Path parquet) throws IOException {
    var size = Files.size(rows) / Math.max(1, count);
    var needsRoom = size > LARGE_ROW || columns.size() > MANY_COLUMNS;
    var sql =
        """
        COPY (SELECT %s FROM read_json(%s, format = 'newline_delimited', maximum_object_size = %d,
          columns = {%s})) TO %s (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE %d)
        """
            .formatted(
                selected(columns),
                DuckConnections.literal(rows.toString()),
                LONGEST_ROW,
                typed(columns),
                DuckConnections.literal(parquet.toString()),
                rowsOfAGroup(size));
    try (var database =
            DuckConnections.inMemory(needsRoom ? config.withThreads(1) : config, scratch);
        var copy = database.createStatement()) {
      DuckConnections.await(copy, () -> copy.execute(sql));
    } catch (SQLException failed) {
      throw new AnalyticsException("the table can't be written", failed);
    }
  }

  private static long rowsOfAGroup(long rowSize) {
    var fitting = BYTES_OF_A_GROUP / Math.max(1, rowSize);
    return Math.clamp(fitting, LEAST_ROWS_OF_A_GROUP, MOST_ROWS_OF_A_GROUP);
  }

  private static String selected(List<Column> columns) {
    var selected = new StringJoiner(", ");
    var names = names(columns);
    for (var i = 0; i < names.size(); i++)
      selected.add(key(i) + " AS " + DuckConnections.name(names.get(i)));
    return selected.toString();
  }

  private static String typed(List<Column> columns) {
    var typed = new StringJoiner(", ");
    for (var i = 0; i < columns.size(); i++) {
      typed.add(key(i) + ": " + DuckConnections.literal(columns.get(i).type().sql));
    }
    return typed.toString();
  }

  /// In tables `Name` and `name` are the same, so the second gets a number; and a name is not
  /// empty.
  static List<String> names(List<Column> columns) {
    Set<String> taken = new HashSet<>();
    var names = new ArrayList<String>();
    for (var column : columns) {
      var plain = column.name().replace("\0", "");
      var name = plain.isEmpty() ? "_" : plain;
      for (var n = 2; !taken.add(name.toLowerCase(Locale.ROOT)); n++) name = plain + "_" + n;
      names.add(name);
    }
    return names;
  }
}

package io.tidemill.store.analytics;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.nio.file.Path;

/// Settings of the analytics database, read from keys `analytics.*`.
@Section("analytics")
public record AnalyticsConfig(
    @Setting(
            value = "",
            doc =
                "File of the analytics database (DuckDB); empty = `analytics.duckdb` in `data.dir`.")
        String url,
    @Setting(
            value = "256MiB",
            doc =
                "Memory that DuckDB may use outside of Java's heap, for the database and for each Parquet file; beyond it goes to disk.")
        ByteSize memory,
    @Setting(value = "2", doc = "Threads that DuckDB computes with.") int threads) {
  private static final String DUCKDB = "jdbc:duckdb:";
  private static final long LEAST_MEMORY = 64L * 1024 * 1024;

  public AnalyticsConfig {
    if (url.startsWith("jdbc:") && !url.startsWith(DUCKDB)) {
      throw new IllegalArgumentException(
          "analytics.url is "
              + scheme(url)
              + ": expected a DuckDB file, others are not supported yet");
    }
    if (memory.bytes() < LEAST_MEMORY) {
      throw new IllegalArgumentException(
          "analytics.memory is " + memory.bytes() + " bytes: expected at least 64MiB");
    }
    if (threads < 1) {
      throw new IllegalArgumentException(
          "analytics.threads is " + threads + ": expected at least 1");
    }
  }

  // What stands behind it may hold a password.
  private static String scheme(String url) {
    return url.replaceFirst("^(jdbc:\\w*:?).*", "$1");
  }

  AnalyticsConfig withThreads(int number) {
    return new AnalyticsConfig(url, memory, number);
  }

  Path file(Path dataFolder) {
    if (url.isEmpty()) return dataFolder.resolve("analytics.duckdb");
    return Path.of(url.startsWith(DUCKDB) ? url.substring(DUCKDB.length()) : url);
  }
}

package io.tidemill.store.analytics;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Settings of the analytics database, read from keys `analytics.*`.
@Section("analytics")
public record AnalyticsConfig(
    @Setting(
            value = "",
            doc =
                "The analytics database: empty = DuckDB in `analytics.duckdb` in `data.dir`, a file name = DuckDB there, `postgresql://user:password@host:port/database` = PostgreSQL, which many processes can share.",
            secret = true)
        String url,
    @Setting(
            value = "256MiB",
            doc =
                "Memory that DuckDB may use outside of Java's heap, for the database and for each Parquet file; beyond it goes to disk.")
        ByteSize memory,
    @Setting(value = "2", doc = "Threads that DuckDB computes with.") int threads) {
  private static final String DUCKDB = "jdbc:duckdb:";
  private static final Pattern POSTGRES =
      Pattern.compile(
          "(?:jdbc:)?postgres(?:ql)?://(?:([^:@/]*)(?::([^@/]*))?@)?([^@]+/[^@?]+)(\\?.*)?");
  private static final long LEAST_MEMORY = 64L * 1024 * 1024;

  public AnalyticsConfig {
    if (hasScheme(url) && !url.startsWith(DUCKDB) && !POSTGRES.matcher(url).matches()) {
      throw new IllegalArgumentException(
          "analytics.url is "
              + scheme(url)
              + "…: expected a file for DuckDB, or postgresql://user:password@host:port/database");
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

  private static boolean hasScheme(String url) {
    return url.startsWith("jdbc:") || url.contains("://");
  }

  // What stands behind it may hold a password.
  private static String scheme(String url) {
    return url.replaceFirst("^(jdbc:)?(\\w*:?).*", "$1$2");
  }

  /// Whether it is in a database that other processes can use too.
  public boolean isPostgres() {
    return hasScheme(url) && !url.startsWith(DUCKDB);
  }

  // PostgreSQL's driver wants user and password behind the question mark, where its own tools have
  // them in front.
  String jdbcUrl() {
    var parts = POSTGRES.matcher(url);
    if (!parts.matches()) throw new IllegalStateException("not a PostgreSQL database");
    var options = new StringBuilder(parts.group(4) == null ? "?" : parts.group(4) + "&");
    if (parts.group(1) != null) options.append("user=").append(parts.group(1));
    if (parts.group(2) != null) options.append("&password=").append(parts.group(2));
    return "jdbc:postgresql://" + parts.group(3) + options;
  }

  AnalyticsConfig withThreads(int number) {
    return new AnalyticsConfig(url, memory, number);
  }

  Path file(Path dataFolder) {
    if (url.isEmpty()) return dataFolder.resolve("analytics.duckdb");
    return Path.of(url.startsWith(DUCKDB) ? url.substring(DUCKDB.length()) : url);
  }
}

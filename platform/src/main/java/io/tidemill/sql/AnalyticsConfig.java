package io.tidemill.sql;

import io.tidemill.config.ByteSize;
import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
    @Setting(value = "2", doc = "Threads that DuckDB computes with.") int threads,
    @Setting(
            value = "10",
            doc =
                "Connections to PostgreSQL at most; each batch at work and each download has one.")
        int connections) {
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
    if (connections < 2) {
      throw new IllegalArgumentException(
          "analytics.connections is " + connections + ": expected at least 2");
    }
    if (threads < 1) {
      throw new IllegalArgumentException(
          "analytics.threads is " + threads + ": expected at least 1");
    }
  }

  /// With as many connections as by default.
  public AnalyticsConfig(String url, ByteSize memory, int threads) {
    this(url, memory, threads, 10);
  }

  private static boolean hasScheme(String url) {
    return url.startsWith("jdbc:") || url.contains("://");
  }

  // The rest may contain a password.
  private static String scheme(String url) {
    return url.replaceFirst("^(jdbc:)?(\\w*:?).*", "$1$2");
  }

  /// Whether it is PostgreSQL, which other processes can share.
  public boolean isPostgres() {
    return hasScheme(url) && !url.startsWith(DUCKDB);
  }

  String jdbcUrl() {
    var options = parts().group(4);
    return "jdbc:postgresql://" + parts().group(3) + (options == null ? "" : options);
  }

  Optional<String> user() {
    return decoded(parts().group(1));
  }

  Optional<String> password() {
    return decoded(parts().group(2));
  }

  private Matcher parts() {
    var parts = POSTGRES.matcher(url);
    if (!parts.matches()) throw new IllegalStateException("not a PostgreSQL database");
    return parts;
  }

  // As in every URL; a plus stays a plus.
  private static Optional<String> decoded(@Nullable String part) {
    if (part == null) return Optional.empty();
    return Optional.of(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
  }

  public AnalyticsConfig withThreads(int number) {
    return new AnalyticsConfig(url, memory, number, connections);
  }

  /// Where PostgreSQL is, without user and password: `host:port/database`.
  public String place() {
    return parts().group(3);
  }

  /// DuckDB's file.
  public Path file(Path dataFolder) {
    if (url.isEmpty()) return dataFolder.resolve("analytics.duckdb");
    return Path.of(url.startsWith(DUCKDB) ? url.substring(DUCKDB.length()) : url);
  }
}

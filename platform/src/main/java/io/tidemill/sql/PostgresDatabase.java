package io.tidemill.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/// PostgreSQL, for any number of processes.
final class PostgresDatabase implements SqlDatabase {
  private static final long PATIENCE_MILLIS = 5_000;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  // The advisory lock of migrations.
  private static final long LOCK = 0x7469_6465_6D69_6C6CL;

  private final AnalyticsConfig config;
  private final SchemaMigrations migrations;
  private @Nullable HikariDataSource pool;
  private @Nullable SQLException failure;
  private long failedAt;
  private boolean closed;

  PostgresDatabase(AnalyticsConfig config, SchemaMigrations migrations) {
    this.config = config;
    this.migrations = migrations;
  }

  @Override
  public String dialect() {
    return "postgresql";
  }

  @Override
  public Connection connect() throws SQLException {
    return opened().getConnection();
  }

  private synchronized HikariDataSource opened() throws SQLException {
    if (closed) throw new SQLException("the database is closed");
    var open = pool;
    if (open != null) return open;
    // Concurrent callers fail with the last failure instead of waiting one by one.
    var before = failure;
    if (before != null && System.nanoTime() - failedAt < AGAIN.toNanos()) throw before;
    try {
      open = open();
      pool = open;
      return open;
    } catch (SQLException failed) {
      failure = failed;
      failedAt = System.nanoTime();
      throw failed;
    }
  }

  private HikariDataSource open() throws SQLException {
    var settings = new HikariConfig();
    settings.setPoolName("analytics");
    settings.setJdbcUrl(config.jdbcUrl());
    config.user().ifPresent(settings::setUsername);
    config.password().ifPresent(settings::setPassword);
    settings.setMaximumPoolSize(config.connections());
    settings.setMinimumIdle(0);
    settings.setConnectionTimeout(PATIENCE_MILLIS);
    settings.setInitializationFailTimeout(-1);
    settings.setAutoCommit(false);
    settings.addDataSourceProperty("connectTimeout", "5");
    settings.addDataSourceProperty("socketTimeout", "300");
    settings.addDataSourceProperty("tcpKeepAlive", "true");
    settings.addDataSourceProperty("ApplicationName", "tidemill");
    HikariDataSource open;
    try {
      open = new HikariDataSource(settings);
    } catch (RuntimeException unusable) {
      throw new SQLException("analytics.url can't be used", "08001", unusable);
    }
    try (var connection = open.getConnection();
        var statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
      migrations.run(connection, dialect());
    } catch (SQLException failed) {
      open.close();
      throw failed;
    }
    return open;
  }

  @Override
  public RowWriter append(Connection connection, String table) throws SQLException {
    var copies = connection.unwrap(PGConnection.class).getCopyAPI();
    return new Rows(copies.copyIn("COPY " + table + " FROM STDIN"));
  }

  @Override
  public int slice() {
    return Integer.MAX_VALUE;
  }

  @Override
  public boolean asksForConflictsSlowly() {
    return false;
  }

  @Override
  public boolean isConflict(SQLException failed) {
    return "23505".equals(failed.getSQLState());
  }

  @Override
  public void lock(Connection connection, String name) throws SQLException {
    try (var lock =
        connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")) {
      lock.setString(1, name);
      lock.execute();
    }
  }

  // No connection, no resources, shutdown, deadlock. Everything else is caused by the statement.
  @Override
  public boolean isPassing(SQLException failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refused && isPassingState(refused.getSQLState())) {
        return true;
      }
      if (cause instanceof java.sql.SQLTransientException) return true;
    }
    return false;
  }

  private static boolean isPassingState(@Nullable String state) {
    if (state == null || state.length() < 2) return false;
    return switch (state.substring(0, 2)) {
      case "08", "25", "28", "40", "53", "55", "57", "58", "3D" -> true;
      default -> false;
    };
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (pool != null) pool.close();
    pool = null;
  }

  /// PostgreSQL's own text form for many rows.
  private static final class Rows implements RowWriter {
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);
    private static final int FULL = 64 * 1024;

    private final CopyIn copy;
    private final StringBuilder lines = new StringBuilder();

    Rows(CopyIn copy) {
      this.copy = copy;
    }

    @Override
    public void add(@Nullable Object... values) throws SQLException {
      lines.append(
          Arrays.stream(values).map(Rows::field).collect(Collectors.joining("\t", "", "\n")));
      if (lines.length() > FULL) send();
    }

    private static String field(@Nullable Object value) {
      return switch (value) {
        case null -> "\\N";
        case String text ->
            RowWriter.storable(text)
                .replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
        case Instant time -> TIME.format(time);
        default -> value.toString();
      };
    }

    private void send() throws SQLException {
      var bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
      copy.writeToCopy(bytes, 0, bytes.length);
      lines.setLength(0);
    }

    @Override
    public void close() throws SQLException {
      if (!copy.isActive()) return;
      send();
      copy.endCopy();
    }
  }
}

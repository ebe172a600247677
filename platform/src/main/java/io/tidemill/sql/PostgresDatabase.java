package io.tidemill.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/// PostgreSQL, for any number of processes.
final class PostgresDatabase implements SqlDatabase {
  private static final long PATIENCE_MILLIS = 5_000;
  private static final Duration AGAIN = Duration.ofSeconds(1);

  // Any number that nobody else has: migrations wait for each other by it.
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
    // Those who come meanwhile need not wait each for themselves.
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
  public <T> T await(Statement statement, Callable<T> call) throws SQLException {
    try {
      return call.call();
    } catch (SQLException refused) {
      throw refused;
    } catch (Exception failed) {
      throw new SQLException(failed);
    }
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

  // Its own locks do.
  @Override
  public Turn turn() {
    return () -> {};
  }

  // No connection, no resources, shut down, or two in each other's way. Everything else is about
  // what we asked for.
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
    private boolean inRow;

    Rows(CopyIn copy) {
      this.copy = copy;
    }

    private Rows raw(@Nullable String value) {
      if (inRow) lines.append('\t');
      inRow = true;
      lines.append(value == null ? "\\N" : value);
      return this;
    }

    @Override
    public RowWriter text(@Nullable String value) {
      if (value == null) return raw(null);
      raw("");
      var text = RowWriter.storable(value);
      for (var i = 0; i < text.length(); i++) {
        var c = text.charAt(i);
        switch (c) {
          case '\\' -> lines.append("\\\\");
          case '\t' -> lines.append("\\t");
          case '\n' -> lines.append("\\n");
          case '\r' -> lines.append("\\r");
          default -> lines.append(c);
        }
      }
      return this;
    }

    @Override
    public RowWriter number(int value) {
      return raw(String.valueOf(value));
    }

    @Override
    public RowWriter number(long value) {
      return raw(String.valueOf(value));
    }

    @Override
    public RowWriter decimal(@Nullable Double value) {
      return raw(value == null ? null : value.toString());
    }

    @Override
    public RowWriter flag(boolean value) {
      return raw(value ? "t" : "f");
    }

    @Override
    public RowWriter time(@Nullable Instant value) {
      return raw(value == null ? null : TIME.format(value));
    }

    @Override
    public void end() throws SQLException {
      lines.append('\n');
      inRow = false;
      if (lines.length() > FULL) send();
    }

    private void send() throws SQLException {
      var bytes = lines.toString().getBytes(StandardCharsets.UTF_8);
      copy.writeToCopy(bytes, 0, bytes.length);
      lines.setLength(0);
    }

    @Override
    public void close() throws SQLException {
      if (!copy.isActive()) return;
      if (inRow) { // somebody gave up in the middle
        copy.cancelCopy();
        return;
      }
      send();
      copy.endCopy();
    }
  }
}

package io.tidemill.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// DuckDB inside this process; its file belongs to one process at a time.
final class DuckDatabase implements SqlDatabase {
  private static final List<String> PASSING =
      List.of("IO Error", "FATAL", "Out of Memory Error", "database is closed", "invalidated");

  private final AnalyticsConfig config;
  private final SchemaMigrations migrations;
  private final Path file;
  private final ReentrantLock writing = new ReentrantLock();
  private @Nullable DuckDBConnection database;
  private boolean closed;

  DuckDatabase(AnalyticsConfig config, Path file, SchemaMigrations migrations) {
    this.config = config;
    this.migrations = migrations;
    this.file = file;
  }

  @Override
  public String dialect() {
    return "duckdb";
  }

  @Override
  public Connection connect() throws SQLException {
    var connection = opened().duplicate();
    connection.setAutoCommit(false);
    return connection;
  }

  private synchronized DuckDBConnection opened() throws SQLException {
    if (closed) throw new SQLException("the database is closed");
    var open = database;
    if (open == null) {
      open = open();
      database = open;
    }
    return open;
  }

  private DuckDBConnection open() throws SQLException {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
    } catch (IOException failed) {
      throw new SQLException("the folder of " + file + " can't be made", failed);
    }
    DuckDBConnection open;
    try {
      open = DuckConnections.open(file.toString(), config, Path.of(file + ".tmp"));
    } catch (SQLException refused) {
      throw isHeld(refused) ? held(refused) : refused;
    }
    try (var migrating = open.duplicate()) {
      migrating.setAutoCommit(false);
      migrations.run(migrating, dialect());
    } catch (SQLException failed) {
      open.close();
      throw failed;
    }
    return open;
  }

  private static boolean isHeld(SQLException refused) {
    return String.valueOf(refused.getMessage()).contains("Could not set lock on file");
  }

  private SQLException held(SQLException refused) {
    return new SQLException(
        "another process has %s open: let one process have all roles that need it, or set analytics.url to a PostgreSQL database"
            .formatted(file.getFileName()),
        refused);
  }

  @Override
  public RowWriter append(Connection connection, String table) throws SQLException {
    return new Rows(((DuckDBConnection) connection).createAppender(table));
  }

  @Override
  public <T> T await(Statement statement, SqlCall<T> call) throws SQLException {
    return DuckConnections.await(statement, call);
  }

  // More of them would have to fit into its memory.
  @Override
  public int slice() {
    return 2_000;
  }

  @Override
  public boolean asksForConflictsSlowly() {
    return true;
  }

  @Override
  public boolean isConflict(SQLException failed) {
    return String.valueOf(failed.getMessage()).contains("Duplicate key");
  }

  // Of two transactions that change the same rows the later one would fail, not wait.
  @Override
  public Turn turn() {
    writing.lock();
    return writing::unlock;
  }

  // DuckDB runs in the process. Transient are a file that another process holds, a lack of memory
  // or disk, and its consequences; everything else is caused by the statement.
  @Override
  public boolean isPassing(SQLException failed) {
    if (failed.getCause() instanceof SQLException cause && isHeld(cause)) return true;
    var why = String.valueOf(failed.getMessage());
    return PASSING.stream().anyMatch(why::contains);
  }

  @Override
  public synchronized void close() {
    closed = true;
    try {
      if (database != null) database.close();
    } catch (SQLException gone) {
      // All that was committed is in the file.
    }
    database = null;
  }

  private record Rows(DuckDBAppender appender) implements RowWriter {
    @Override
    public void add(@Nullable Object... values) throws SQLException {
      appender.beginRow();
      for (var value : values) append(value);
      appender.endRow();
    }

    private void append(@Nullable Object value) throws SQLException {
      switch (value) {
        case null -> appender.appendNull();
        case String text -> appender.append(RowWriter.storable(text));
        case Integer number -> appender.append(number.intValue());
        case Long number -> appender.append(number.longValue());
        case Double number -> appender.append(number.doubleValue());
        case Boolean flag -> appender.append(flag.booleanValue());
        case Instant time -> appender.append(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
        default -> throw new IllegalArgumentException("no column holds " + value.getClass());
      }
    }

    @Override
    public void close() throws SQLException {
      appender.close();
    }
  }
}

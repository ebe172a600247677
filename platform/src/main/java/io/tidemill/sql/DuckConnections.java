package io.tidemill.sql;

import io.tidemill.sql.SqlDatabase.SqlCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.duckdb.DuckDBConnection;

/// DuckDB inside this process.
public final class DuckConnections {
  private DuckConnections() {}

  /// Opens a database in memory, for one piece of work.
  public static Connection inMemory(AnalyticsConfig config, Path spill) throws SQLException {
    return open("", config, spill);
  }

  /// Opens a database file, or one in memory when the name is empty.
  public static DuckDBConnection open(String file, AnalyticsConfig config, Path spill)
      throws SQLException {
    var settings = new Properties();
    settings.setProperty("jdbc_stream_results", "true");
    settings.setProperty("memory_limit", config.memory().bytes() + "B");
    settings.setProperty("threads", String.valueOf(config.threads()));
    settings.setProperty("temp_directory", folder(spill).toString());
    // No downloads, no files in the home folder.
    settings.setProperty("autoinstall_known_extensions", "false");
    settings.setProperty("autoload_known_extensions", "false");
    return (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:" + file, settings);
  }

  private static Path folder(Path folder) throws SQLException {
    try {
      return Files.createDirectories(folder.toAbsolutePath());
    } catch (IOException failed) {
      throw new SQLException("folder " + folder + " can't be made", failed);
    }
  }

  public static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  public static String name(String text) {
    return "\"" + text.replace("\"", "\"\"") + "\"";
  }

  /// Runs a call on a platform thread: native code pins the carrier of a virtual thread. An
  /// interrupt of the caller cancels the statement.
  public static <T> T await(Statement statement, SqlCall<T> call) throws SQLException {
    if (!Thread.currentThread().isVirtual()) return call.call();
    var task = new FutureTask<>(call::call);
    Thread.ofPlatform().daemon().name("duckdb").start(task);
    var isInterrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException stop) {
          isInterrupted = true;
          statement.cancel(); // then the call ends soon, with an exception
        }
      }
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof SQLException refused) throw refused;
      throw new SQLException(failed.getCause());
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }
}

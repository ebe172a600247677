package io.tidemill.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Migrates the schema: each file runs once, in one transaction with its entry in
/// `schema_versions`.
///
/// A file is for every database, or for the one that its name ends with.
public final class SchemaMigrations {
  private final Class<?> home;
  private final List<String> files;

  /// @param home beside which class the files lie
  /// @param files in the order in which they run
  public SchemaMigrations(Class<?> home, List<String> files) {
    this.home = home;
    this.files = List.copyOf(files);
  }

  /// Applies the missing ones and commits. The caller has to exclude concurrent runs.
  void run(Connection connection, String dialect) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS schema_versions (name VARCHAR NOT NULL PRIMARY KEY)");
      var done = done(connection);
      var unknown = new HashSet<>(done);
      files.forEach(unknown::remove);
      if (!unknown.isEmpty()) {
        throw new SQLException(
            "the database was made by a newer version: it has "
                + String.join(", ", unknown.stream().sorted().toList()));
      }
      for (var file : files) {
        if (done.contains(file) || !isFor(file, dialect)) continue;
        for (var sql : statements(file)) statement.execute(sql);
        statement.execute(
            "INSERT INTO schema_versions VALUES (" + DuckConnections.literal(file) + ")");
      }
    }
    connection.commit();
  }

  private static Set<String> done(Connection connection) throws SQLException {
    var done = new HashSet<String>();
    try (var query = connection.createStatement();
        var rows = query.executeQuery("SELECT name FROM schema_versions")) {
      while (rows.next()) done.add(rows.getString(1));
    }
    return done;
  }

  private static boolean isFor(String file, String dialect) {
    var parts = file.split("\\.", -1);
    return parts.length == 2 || parts[1].equals(dialect);
  }

  // None of our statements has a semicolon inside.
  private List<String> statements(String file) {
    try (var resource = home.getResourceAsStream(file)) {
      if (resource == null) throw new IllegalStateException(file + " is missing");
      var text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      return List.of(text.replaceAll("(?m)^--.*$", "").split(";", -1)).stream()
          .map(String::strip)
          .filter(sql -> !sql.isEmpty())
          .toList();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}

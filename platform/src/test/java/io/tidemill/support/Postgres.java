package io.tidemill.support;

import static org.awaitility.Awaitility.await;

import io.tidemill.servers.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/// Debian's PostgreSQL as a child process, one for all tests; what needs it is skipped without it.
public final class Postgres {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final AtomicInteger DATABASES = new AtomicInteger();

  // The shell's input is a pipe from this JVM: when it closes, however that came, the server ends.
  private static final String SHELL =
      """
      exec 3<&0 </dev/null
      "$@" >"$PWD/out" 2>&1 3<&- &
      read -r line <&3
      kill -QUIT $(head -n 1 data/postmaster.pid) 2>/dev/null
      """;

  private static final class Shared {
    static final Postgres SERVER = new Postgres();
  }

  private final Path bin = bin().orElseThrow();
  private final Path dir;
  private final int port = Ports.freeOr(0);
  private final Process shell;

  private Postgres() {
    try {
      dir = Files.createTempDirectory("tidemill-postgres");
      if (isRoot()) run(List.of("chown", "postgres", dir.toString()));
      var data = dir.resolve("data").toString();
      run(command("initdb", "-D", data, "-U", "tide", "-A", "trust", "-E", "UTF8", "--no-sync"));
      var start = new ArrayList<>(List.of("/bin/sh", "-c", SHELL, "postgres"));
      start.addAll(
          command(
              "postgres",
              "-D",
              data,
              "-p",
              String.valueOf(port),
              "-k",
              dir.toString(),
              "-c",
              "listen_addresses=127.0.0.1",
              "-c",
              "fsync=off"));
      shell = new ProcessBuilder(start).directory(dir.toFile()).start();
      Runtime.getRuntime().addShutdownHook(new Thread(this::end));
      await().until(this::answers);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// The one of this JVM; the test is skipped where PostgreSQL is not installed.
  public static Postgres shared() {
    Assumptions.assumeTrue(bin().isPresent(), "postgresql is not installed");
    return Shared.SERVER;
  }

  private static Optional<Path> bin() {
    if (!Files.isDirectory(VERSIONS)) return Optional.empty();
    try (var versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  // It refuses to run as root.
  private List<String> command(String program, String... arguments) {
    var command = new ArrayList<String>();
    if (isRoot())
      command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    command.add(bin.resolve(program).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private void run(List<String> command) throws IOException {
    var log = Files.createTempFile("tidemill-postgres", ".log");
    try {
      var process =
          new ProcessBuilder(command)
              .directory(dir.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new AssertionError(command + ": " + Files.readString(log));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } finally {
      Files.deleteIfExists(log);
    }
  }

  private boolean answers() {
    try (var _ = DriverManager.getConnection(jdbc("postgres"))) {
      return true;
    } catch (SQLException notYet) {
      return false;
    }
  }

  private String jdbc(String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s?user=tide".formatted(port, database);
  }

  public int port() {
    return port;
  }

  /// Makes an empty database, and says its name.
  public String database() {
    var name = "tide" + DATABASES.incrementAndGet();
    try (var connection = DriverManager.getConnection(jdbc("postgres"));
        var statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name);
      return name;
    } catch (SQLException failed) {
      throw new AssertionError(failed);
    }
  }

  /// The address of a database as users write it.
  public String url(String database) {
    return url(port, database);
  }

  /// The same through a proxy.
  public String url(int throughPort, String database) {
    return "postgresql://tide:tide@127.0.0.1:%d/%s".formatted(throughPort, database);
  }

  private void end() {
    try {
      shell.getOutputStream().close();
      if (!shell.waitFor(10, TimeUnit.SECONDS)) shell.destroyForcibly();
    } catch (IOException gone) {
      shell.destroyForcibly();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    BrokerJ.delete(dir);
  }
}

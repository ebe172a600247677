package io.tidemill.app;

import io.tidemill.servers.Ports;
import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/// Debian's PostgreSQL, whose address is known before it starts.
final class LatePostgres implements AutoCloseable {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  private final Path bin;
  private final Path folder;
  private final Path dir;
  private final int port = Ports.freeOr(0);
  private @Nullable Process server;

  /// @param folder where it gets a folder of its own
  LatePostgres(Path folder) throws IOException {
    var installed = bin();
    Assumptions.assumeTrue(installed.isPresent(), "postgresql is not installed");
    bin = installed.orElseThrow();
    this.folder = folder;
    dir = Files.createDirectory(folder.resolve("late-postgres"));
  }

  private static Optional<Path> bin() throws IOException {
    if (!Files.isDirectory(VERSIONS)) return Optional.empty();
    try (var versions = Files.list(VERSIONS)) {
      return versions
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
          .max(Comparator.naturalOrder());
    }
  }

  String place() {
    return "127.0.0.1:" + port + "/postgres";
  }

  String url() {
    return "postgresql://tide:tide@" + place();
  }

  void start() throws IOException, InterruptedException {
    var data = dir.resolve("data").toString();
    if (isRoot()) {
      run(List.of("chown", "postgres", dir.toString()));
      run(List.of("chmod", "755", folder.toString()));
    }
    run(command("initdb", "-D", data, "-U", "tide", "-A", "trust", "-E", "UTF8", "--no-sync"));
    var start =
        command("postgres", "-D", data, "-p", "" + port, "-k", dir.toString(), "-c", "fsync=off");
    server = process(ChildProcessGuard.guarded(start)).start();
  }

  // It refuses to run as root.
  private List<String> command(String program, String... arguments) {
    var command = new ArrayList<String>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    }
    command.add(bin.resolve(program).toString());
    command.addAll(List.of(arguments));
    return command;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private void run(List<String> command) throws IOException, InterruptedException {
    var process = process(command).start();
    if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new AssertionError(command + " failed");
    }
  }

  private ProcessBuilder process(List<String> command) {
    return new ProcessBuilder(command)
        .directory(dir.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
  }

  @Override
  public void close() {
    var running = server;
    if (running == null) return;
    running.destroy();
    try {
      if (!running.waitFor(10, TimeUnit.SECONDS)) running.destroyForcibly();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }
}

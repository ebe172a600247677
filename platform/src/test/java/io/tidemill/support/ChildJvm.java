package io.tidemill.support;

import static org.awaitility.Awaitility.await;

import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A role in a JVM of its own, which can be killed like one, and does not outlive this one.
public final class ChildJvm implements AutoCloseable {
  private final Process process;
  private final Path log;

  /// Starts a main of the test classes; [#awaitReady] says when it works.
  public ChildJvm(Class<?> main, String... arguments) {
    this(List.of("-XX:TieredStopAtLevel=1", "-Xmx192m", "-Xms192m", "-Xmn96m"), main, arguments);
  }

  /// @param options of the JVM
  public ChildJvm(List<String> options, Class<?> main, String... arguments) {
    this(main, allOptions(options), List.of(arguments));
  }

  private static List<String> allOptions(List<String> options) {
    var all = new ArrayList<>(ChildClasses.asOptions());
    all.addAll(options);
    return all;
  }

  /// @param options of the JVM, its class path among them
  static ChildJvm start(List<String> options, Class<?> main, List<String> arguments) {
    return new ChildJvm(main, options, arguments);
  }

  private ChildJvm(Class<?> main, List<String> options, List<String> arguments) {
    try {
      log = Files.createTempFile("tidemill-child", ".log");
      log.toFile().deleteOnExit();
      var command =
          new ArrayList<>(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:+UseSerialGC"));
      command.addAll(options);
      command.add(main.getName());
      command.addAll(arguments);
      process =
          new ProcessBuilder(ChildProcessGuard.guarded(command))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /// Waits for the line that the main prints when it is ready, and returns it.
  public String awaitReady() {
    await("child " + process.pid())
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> output().contains("ready ") || !process.isAlive());
    var output = output();
    var at = output.indexOf("ready ");
    if (at < 0) throw new AssertionError("the child ended: " + output);
    return output.substring(at + "ready ".length()).lines().findFirst().orElse("");
  }

  public String output() {
    try {
      return Files.readString(log);
    } catch (IOException gone) {
      throw new UncheckedIOException(gone);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /// SIGKILL, and waits until it is gone.
  public void kill() {
    process.toHandle().destroyForcibly();
    awaitEnd();
  }

  /// SIGTERM, and waits until it is gone.
  void stop() {
    process.destroy();
    awaitEnd();
  }

  public void awaitEnd() {
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) throw new AssertionError("the child lives on");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /// Sends a signal, such as `STOP`.
  public void signal(String name) throws IOException {
    signal(process.pid(), name);
  }

  /// Sends a signal to any process of ours.
  public static void signal(long pid, String name) throws IOException {
    try {
      var kill = new ProcessBuilder("/bin/kill", "-" + name, String.valueOf(pid)).start();
      if (kill.waitFor() != 0) throw new IOException("kill -" + name + " " + pid + " failed");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill(); // a dying one could still take the next test's job
  }
}

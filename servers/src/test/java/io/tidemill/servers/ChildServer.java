package io.tidemill.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A server in a child JVM, to be killed.
final class ChildServer implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;
  private final Path errors;
  private final List<String> unexpected = new ArrayList<>();

  /// @param scratch where the child's error output goes
  ChildServer(String name, Path dir, Path scratch) throws IOException {
    errors = Files.createTempFile(scratch, name, ".err");
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                ChildMain.class.getName(),
                name,
                dir.toString())
            .redirectError(errors.toFile())
            .start();
    output = process.inputReader();
  }

  /// Waits for the line that starts with this word and returns the rest of it.
  String said(String word) throws IOException {
    for (var line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(word + " ")) return line.substring(word.length() + 1);
      if (!line.startsWith("LOG ")) unexpected.add(line);
    }
    throw new IOException("the child ended: " + Files.readString(errors));
  }

  /// What it printed, other than through its logger.
  List<String> noise() throws IOException {
    var noise = new ArrayList<>(unexpected);
    noise.addAll(Files.readAllLines(errors));
    return noise;
  }

  void kill() throws InterruptedException {
    process.destroyForcibly(); // SIGKILL
    process.waitFor();
  }

  /// Lets it end in order and returns its exit status.
  int end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) return -1;
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

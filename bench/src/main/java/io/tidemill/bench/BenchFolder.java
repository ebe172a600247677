package io.tidemill.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A folder for the time of a benchmark.
record BenchFolder(Path path) implements AutoCloseable {
  static BenchFolder make() throws IOException {
    return new BenchFolder(Files.createTempDirectory("tidemill-bench"));
  }

  @Override
  public void close() throws IOException {
    try (var files = Files.walk(path)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }
}

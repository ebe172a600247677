package io.tidemill.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Finds a Redis to run: the one installed on this machine if it is new enough, since the system
/// keeps it patched, else the one inside a jar of ours.
final class RedisBinary {

  private static final String VERSION = "7.0.15";
  private static final int OLDEST_MAJOR = 7;
  private static final Pattern MAJOR = Pattern.compile("(?:Redis|Valkey) server v=(\\d+)\\..*");

  // Prints a path, then what that program says of its version.
  private static final String SEARCH =
      """
      for name in redis-server valkey-server; do
        found=$(command -v $name) && echo "$found" && "$found" --version
      done
      exit 0
      """;

  private RedisBinary() {}

  static Path locate(Path dir) throws IOException {
    var installed = newEnough(installed());
    return installed.isPresent() ? installed.get() : extracted(dir);
  }

  /// The first program of version 7 or later among lines of path, version, path, version.
  static Optional<Path> newEnough(List<String> found) {
    for (int i = 0; i + 1 < found.size(); i++) {
      var version = MAJOR.matcher(found.get(i + 1));
      if (found.get(i).startsWith("/")
          && version.matches()
          && Integer.parseInt(version.group(1)) >= OLDEST_MAJOR) {
        return Optional.of(Path.of(found.get(i)));
      }
    }
    return Optional.empty();
  }

  private static List<String> installed() throws IOException {
    var search =
        new ProcessBuilder("/bin/sh", "-c", SEARCH)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    search.getOutputStream().close();
    try {
      if (!search.waitFor(3, TimeUnit.SECONDS)) return List.of();
      return new String(search.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    } finally {
      search.destroyForcibly();
    }
  }

  static Path extracted(Path dir) throws IOException {
    String name = "redis-server-%s-%s".formatted(VERSION, platform());
    var target = dir.resolve(name);
    try (var binary = RedisBinary.class.getResourceAsStream("/" + name)) {
      if (binary == null) {
        throw new ServerException(
            "no redis for %s here: install redis-server 7 or later".formatted(platform()), null);
      }
      if (!Files.isExecutable(target)) extract(binary, target);
    }
    return target;
  }

  private static void extract(InputStream binary, Path target) throws IOException {
    var incomplete = Files.createTempFile(target.getParent(), "redis-server", ".tmp");
    try {
      Files.copy(binary, incomplete, StandardCopyOption.REPLACE_EXISTING);
      Files.setPosixFilePermissions(incomplete, PosixFilePermissions.fromString("rwxr-xr-x"));
      Files.move(incomplete, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(incomplete);
    }
  }

  private static String platform() {
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String cpu = System.getProperty("os.arch", "");
    return (os.startsWith("mac") ? "darwin" : os)
        + "-"
        + (cpu.equals("aarch64") ? "arm64" : cpu.equals("x86_64") ? "amd64" : cpu);
  }
}

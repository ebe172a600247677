package io.tidemill.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/// The classes of child JVMs, archived as they are once loaded, which halves what a start costs.
///
/// The JVM archives only what comes from jars, so folders on the class path are packed first. Made
/// once for a build, by whichever test needs it first; the others wait.
final class ChildClasses {
  private static final Path FOLDER = Path.of("target", "children").toAbsolutePath();
  private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
  private static final Path STAMP = FOLDER.resolve("stamp");
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private static final List<String> OPTIONS = options();

  private ChildClasses() {}

  /// The class path and the archive, as options of `java`.
  static List<String> asOptions() {
    return OPTIONS;
  }

  private static List<String> options() {
    try {
      Files.createDirectories(FOLDER);
      try (var channel =
              FileChannel.open(
                  FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        var stamp = stamp();
        if (!Files.exists(STAMP) || !Files.readString(STAMP).equals(stamp)) {
          Files.deleteIfExists(STAMP);
          pack();
          archive();
          Files.writeString(STAMP, stamp);
        }
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    // An archive that does not fit is not used, and not worth a word among the child's.
    return List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:disable", "-cp", jars());
  }

  // Changes with everything that is on the class path.
  private static String stamp() throws IOException {
    var stamp = new StringBuilder(System.getProperty("java.vm.version"));
    for (var entry : entries()) {
      if (!Files.exists(entry)) continue;
      try (var files = Files.walk(entry)) {
        for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
          if (Files.isHidden(file)) continue;
          stamp.append('\n').append(file).append(' ').append(Files.size(file));
          stamp.append(' ').append(Files.getLastModifiedTime(file));
        }
      }
    }
    return stamp.toString();
  }

  private static List<Path> entries() {
    return Stream.of(CLASS_PATH.split(File.pathSeparator, -1)).map(Path::of).toList();
  }

  private static void pack() throws IOException {
    var jar = ToolProvider.findFirst("jar").orElseThrow();
    for (var entry : entries()) {
      if (!Files.isDirectory(entry)) continue;
      var packed = jarOf(entry);
      Files.deleteIfExists(packed); // instead of writing over what a JVM has open
      String[] arguments = {"-c", "-0", "-f", packed.toString(), "-C", entry.toString(), "."};
      var code = jar.run(System.out, System.err, arguments);
      if (code != 0) throw new IOException("could not pack " + entry);
    }
  }

  private static Path jarOf(Path folder) {
    return FOLDER.resolve(folder.toString().replaceAll("[^A-Za-z0-9-]+", "_") + ".jar");
  }

  private static String jars() {
    return entries().stream()
        .map(entry -> Files.isDirectory(entry) ? jarOf(entry) : entry)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void archive() throws IOException {
    Files.deleteIfExists(ARCHIVE);
    try {
      CrashRehearsal.archive(ARCHIVE, jars());
    } catch (RuntimeException | AssertionError failed) {
      Files.deleteIfExists(ARCHIVE);
      LoggerFactory.getLogger(ChildClasses.class).warn("children will start slowly", failed);
    }
  }
}

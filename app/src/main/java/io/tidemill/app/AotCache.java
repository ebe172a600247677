package io.tidemill.app;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cache that makes a start take half the time. Made once, in the background, after the first
/// start: a second JVM starts everything in a scratch folder, uses it, and leaves its classes
/// behind.
final class AotCache {
  private static final Logger log = LoggerFactory.getLogger(AotCache.class);

  private AotCache() {}

  /// Makes the cache if the launcher named a place for it and it is not there yet.
  static void makeIfMissing() {
    var place = System.getProperty("tidemill.aot");
    var java = ProcessHandle.current().info().command();
    if (place == null || java.isEmpty()) return;
    var cache = Path.of(place);
    if (Files.exists(cache) || !Files.isWritable(cache.toAbsolutePath().getParent())) return;
    try {
      new ProcessBuilder(command(java.get(), cache))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
          .start();
    } catch (IOException impossible) {
      log.debug("no start-up cache: {}", impossible.getMessage());
    }
  }

  // Survives Ctrl-C of this process; a half-written cache is never visible.
  private static List<String> command(String java, Path cache) {
    var draft = cache + "." + ProcessHandle.current().pid();
    var command = new ArrayList<>(List.of("/bin/sh", "-c"));
    command.add(
        "trap '' INT HUP; draft=$1; cache=$2; shift 2;"
            + " nice -n 19 \"$@\" && mv \"$draft\" \"$cache\" || rm -f \"$draft\"");
    command.addAll(List.of("aot", draft, cache.toString(), java));
    for (var flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-XX:AOT") && !flag.startsWith("-Dtidemill.aot")) command.add(flag);
    }
    command.add("-XX:AOTCacheOutput=" + draft);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "warm",
            System.getProperty("java.io.tmpdir")));
    return command;
  }
}

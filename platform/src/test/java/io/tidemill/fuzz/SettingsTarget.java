package io.tidemill.fuzz;

import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.job.JobsConfig;
import io.tidemill.redis.RedisConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Settings files: read, or refused with one line.
public final class SettingsTarget {
  private static final Path FILE = file();
  private static final Pattern ONE_LINE = Pattern.compile("[^\\p{Cntrl}\\u0085\\u2028\\u2029]+");

  private SettingsTarget() {}

  public static void fuzzerTestOneInput(byte[] content) throws IOException {
    Files.write(FILE, content);
    try {
      Settings.load(FILE, Map.of(), Map.of(), List.of(JobsConfig.class, RedisConfig.class));
    } catch (SettingsException refused) {
      for (var problem : refused.problems()) {
        if (!ONE_LINE.matcher(problem).matches()) {
          throw new AssertionError("not one line: " + problem, refused);
        }
      }
    }
  }

  private static Path file() {
    try {
      var file = Files.createTempFile("fuzz", ".conf");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }
}

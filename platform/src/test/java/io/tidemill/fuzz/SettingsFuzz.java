package io.tidemill.fuzz;

import io.tidemill.config.Settings;
import io.tidemill.config.SettingsException;
import io.tidemill.http.HttpConfig;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.worker.WorkerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Any file is settings or a complaint of one line.
public final class SettingsFuzz {
  private static final Path FILE = file();

  private SettingsFuzz() {}

  private static Path file() {
    try {
      var file = Files.createTempFile("fuzz", ".conf");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException full) {
      throw new AssertionError(full);
    }
  }

  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    Files.write(FILE, input);
    try {
      Settings.load(
          FILE,
          Map.of(),
          Map.of(),
          List.of(JobsConfig.class, WorkerConfig.class, HttpConfig.class));
    } catch (SettingsException complaint) {
      if (String.valueOf(complaint.getMessage()).lines().count() != 1) {
        throw new AssertionError("not one line", complaint);
      }
    }
  }
}

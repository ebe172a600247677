package io.tidemill.app.wiring;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.nio.file.Path;

/// Where everything local is kept, read from keys `data.*`.
@Section("data")
public record DataConfig(
    @Setting(
            value = "./data",
            doc = "Folder of the local servers' data, of plugins and of addresses.json.")
        Path dir) {
  /// Jars with handlers and tools of the user's own.
  public Path plugins() {
    return dir.resolve("plugins");
  }
}

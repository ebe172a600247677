package io.tidemill.app;

import io.tidemill.config.Settings;
import io.tidemill.store.search.SearchConfig;
import java.nio.file.Path;

/// Where the search index of these settings is.
final class IndexFolder {
  private IndexFolder() {}

  static Path of(Settings settings) {
    var dir = settings.section(SearchConfig.class).dir();
    return dir.isEmpty() ? settings.section(DataConfig.class).dir().resolve("index") : Path.of(dir);
  }
}

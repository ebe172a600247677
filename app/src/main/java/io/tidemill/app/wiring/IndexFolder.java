package io.tidemill.app.wiring;

import io.tidemill.config.Settings;
import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingConfig;
import io.tidemill.search.SearchConfig;
import java.nio.file.Path;

/// Where the search index of these settings is.
public final class IndexFolder {
  private IndexFolder() {}

  public static Path of(Settings settings) {
    var dir = settings.section(SearchConfig.class).dir();
    return dir.isEmpty() ? settings.section(DataConfig.class).dir().resolve("index") : Path.of(dir);
  }

  /// The model that makes the index's vectors.
  public static Embedder embedder(Settings settings) {
    var config = settings.section(EmbeddingConfig.class);
    var natives =
        config.nativeDir().isEmpty()
            ? settings.section(DataConfig.class).dir().resolve("native")
            : Path.of(config.nativeDir());
    return new Embedder(config, natives);
  }
}

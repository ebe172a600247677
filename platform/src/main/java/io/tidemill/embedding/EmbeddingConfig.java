package io.tidemill.embedding;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// Settings of the embedding model, read from keys `embedding.*`.
@Section("embedding")
public record EmbeddingConfig(
    @Setting(
            value = "true",
            doc =
                "Whether the model inside this program is used: for `embed` and `rag` jobs, and for"
                    + " search by meaning. Off saves its memory; search then goes by words alone.")
        boolean enabled,
    @Setting(
            value = "0",
            doc = "Threads that compute vectors; 0 = half of the cores, at least one.")
        int threads,
    @Setting(
            value = "",
            doc =
                "Folder for the native library that computes vectors; empty = `native` in `data.dir`.")
        String nativeDir) {
  public EmbeddingConfig {
    if (threads < 0 || threads > 64) {
      throw new IllegalArgumentException("embedding.threads is " + threads + ": expected 0 to 64");
    }
  }

  /// How many threads that is here.
  int workers() {
    return threads > 0 ? threads : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }
}

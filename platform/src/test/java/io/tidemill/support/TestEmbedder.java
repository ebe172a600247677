package io.tidemill.support;

import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingConfig;
import java.nio.file.Path;

/// The model inside, loaded once for all tests of a JVM.
public final class TestEmbedder {
  /// Where the native library is unpacked, once for all tests.
  public static final Path NATIVES = Path.of("target", "native");

  private static final Embedder SHARED = new Embedder(new EmbeddingConfig(true, 2, ""), NATIVES);

  private TestEmbedder() {}

  public static Embedder shared() {
    return SHARED;
  }
}

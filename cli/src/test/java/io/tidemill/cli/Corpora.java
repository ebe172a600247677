package io.tidemill.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/// Recorded facts that lie beside the project on some machines, and not on others.
public final class Corpora {
  private Corpora() {}

  /// The text of one file; where there is none, the test that asks reports itself as skipped.
  public static String text(String name) throws IOException {
    for (var folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      var file = folder.resolve("shared/corpora").resolve(name);
      if (Files.isRegularFile(file)) return Files.readString(file);
    }
    Assumptions.abort("no shared/corpora/" + name + " above this folder");
    throw new IllegalStateException("abort() throws");
  }
}

package io.tidemill.search.passage;

import io.tidemill.support.TestEmbedder;
import java.nio.file.Path;

/// Makes the vectors of an index, and says after each round how many changes are left.
public final class PassageMain {
  private PassageMain() {}

  /// @param arguments the index' folder
  public static void main(String[] arguments) throws InterruptedException {
    try (var update = new PassageUpdater(Path.of(arguments[0]), TestEmbedder.shared())) {
      System.out.println("ready 1");
      while (update.round()) System.out.println("left " + update.behind() + ".");
    }
  }
}

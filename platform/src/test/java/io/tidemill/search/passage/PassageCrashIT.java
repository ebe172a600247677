package io.tidemill.search.passage;

import static io.tidemill.search.query.SamplePageDocuments.AT;
import static io.tidemill.search.query.SamplePageDocuments.CONFIG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.search.PageChange;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.query.PageSearch;
import io.tidemill.search.query.SamplePageDocuments;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.TestEmbedder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassageCrashIT {
  private static final int PAGES = 200;

  // As long as the command line of the product, whose class path is in it: there was a version of
  // the model's library that crashed on it.
  private static final List<String> OPTIONS =
      List.of("-XX:TieredStopAtLevel=1", "-Xmx128m", "-Dlong=" + "x".repeat(20_000));

  @TempDir private Path folder;

  @Test
  void everyPageHasItsPassagesOnceWhenTheirMakerIsKilled() throws InterruptedException {
    var dir = folder.resolve("index");
    var pages = new ArrayList<PageChange>();
    for (int i = 0; i < PAGES; i++) {
      pages.add(
          SamplePageDocuments.put(
              "https://example.org/" + i, "Page " + i, "About the number " + i));
    }
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT))) {
      index.apply(pages);
    }

    var left = PAGES;
    for (int kill = 0; kill < 2 && left > 0; kill++) {
      try (var child = new ChildJvm(OPTIONS, PassageMain.class, dir.toString())) {
        child.awaitReady();
        var before = left;
        // It may have done the last of them just before it was killed, and not said so.
        await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> least(child.output()) < before || !child.isAlive());
        child.kill();
        left = Math.min(left, least(child.output()));
      }
    }

    try (var update = new PassageUpdater(dir, TestEmbedder.shared())) {
      // What was said to be done is done.
      assertThat(update.behind()).isLessThanOrEqualTo(left);
      while (update.round()) assertThat(update.behind()).isNotNegative();
    }
    try (var search = new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared())) {
      assertThat(search.passageStats()).isEqualTo(new PassageStats(PAGES, 0));
    }
  }

  private static int least(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("left ") && line.endsWith("."))
        .mapToInt(line -> Integer.parseInt(line.substring(5, line.length() - 1)))
        .min()
        .orElse(PAGES);
  }
}

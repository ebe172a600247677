package io.tidemill.search.index;

import static io.tidemill.search.query.SamplePageDocuments.AT;
import static io.tidemill.search.query.SamplePageDocuments.CONFIG;
import static io.tidemill.search.query.SamplePageDocuments.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.search.query.PageSearch;
import io.tidemill.support.ChildJvm;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexCrashIT {
  @TempDir private Path dir;

  @Test
  void whatWasAppliedSurvivesAKill() { // F37
    var applied = 0;
    for (var round = 0; round < 3; round++) {
      try (var child = new ChildJvm(IndexMain.class, dir.toString(), Integer.toString(applied))) {
        child.awaitReady();
        var least = applied + 30;
        await().until(() -> last(child.output()) >= least);
        child.kill();
        applied = last(child.output());
      }
      assertAllThere(applied);
    }
  }

  private void assertAllThere(int applied) {
    try (var search = new PageSearch(dir, CONFIG, InstantSource.system())) {
      for (var i = 0; i < applied; i++) assertThat(search.find(IndexMain.url(i))).isPresent();
    }
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.system())) {
      index.apply(List.of(put("https://example.org/after", "after", AT)));
    }
  }

  private static int last(String output) {
    return output
        .lines()
        .filter(line -> line.startsWith("applied ") && line.endsWith("."))
        .mapToInt(line -> Integer.parseInt(line.substring(8, line.length() - 1)))
        .max()
        .orElse(0);
  }
}

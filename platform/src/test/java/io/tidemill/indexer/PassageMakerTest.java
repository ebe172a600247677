package io.tidemill.indexer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.search.PageChange;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.passage.PassageStats;
import io.tidemill.search.query.PageSearch;
import io.tidemill.search.query.SamplePageDocuments;
import io.tidemill.support.TestEmbedder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassageMakerTest {
  private static final SearchConfig CONFIG =
      new SearchConfig(
          "", Duration.ofSeconds(20), 100, 10_000, Duration.ZERO, 1, Duration.ofHours(24), 0.3);

  @TempDir private Path folder;

  @Test
  void followsWhatIsIndexed() {
    var dir = folder.resolve("index");
    var metrics = new SimpleMeterRegistry();
    var keeper = new PassageMaker(dir, TestEmbedder.shared(), metrics);
    keeper.start(); // before there is any index
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.system());
        var search = new PageSearch(dir, CONFIG, InstantSource.system(), TestEmbedder.shared())) {
      index.apply(List.of(page("a"), page("b")));
      awaitPassages(search, 2);
      index.apply(List.of(page("c")));
      awaitPassages(search, 3);
    } finally {
      keeper.stop();
    }
    assertThat(metrics.get("search.vectors.behind").gauge().value()).isNotNegative();
  }

  private static PageChange page(String name) {
    return new PageChange.Put(
        SamplePageDocuments.page("https://example.org/" + name, name, "About " + name));
  }

  private static void awaitPassages(PageSearch search, long count) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> search.passageStats().equals(new PassageStats(count, 0)));
  }
}

package io.tidemill.indexer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.store.search.LuceneIndex;
import io.tidemill.store.search.PageChange;
import io.tidemill.store.search.PageSearch;
import io.tidemill.store.search.Pages;
import io.tidemill.store.search.PassageStats;
import io.tidemill.store.search.SearchConfig;
import io.tidemill.support.TestEmbedder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassageKeeperTest {
  private static final SearchConfig CONFIG =
      new SearchConfig(
          "", Duration.ofSeconds(20), 100, 10_000, Duration.ZERO, 1, Duration.ofHours(24), 0.3);

  @TempDir private Path folder;

  @Test
  void followsWhatIsIndexed() {
    var dir = folder.resolve("index");
    var metrics = new SimpleMeterRegistry();
    var keeper = new PassageKeeper(dir, TestEmbedder.shared(), metrics);
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
    return new PageChange.Put(Pages.page("https://example.org/" + name, name, "About " + name));
  }

  private static void awaitPassages(PageSearch search, long count) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> search.passageStats().equals(new PassageStats(count, 0)));
  }
}

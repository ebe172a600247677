package io.tidemill.search.query;

import static io.tidemill.search.query.SamplePageDocuments.AT;
import static io.tidemill.search.query.SamplePageDocuments.CONFIG;
import static io.tidemill.search.query.SamplePageDocuments.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.lucene.IndexSnapshot;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.PageChange;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.index.IndexRebuild;
import io.tidemill.search.index.LuceneIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexCopyTest {
  private static final InstantSource CLOCK = InstantSource.fixed(AT);

  @TempDir private Path dir;

  @Test
  void aSnapshotIsOneStateOfAnIndexThatIsBeingWritten() throws Exception {
    var stop = new AtomicBoolean();
    var index = new LuceneIndex(path("index"), CONFIG, CLOCK);
    index.apply(List.of(put("https://example.org/a", "mill", AT)));
    var writer =
        Thread.ofPlatform()
            .start(() -> {
              for (var i = 0; !stop.get(); i++) {
                index.apply(List.of(put("https://example.org/" + i, "mill", AT)));
              }
            });
    try {
      for (var i = 0; i < 5; i++) {
        var copy = path("copy" + i);
        IndexSnapshot.take(path("index"), copy);
        assertThat(count(copy)).isPositive();
      }
    } finally {
      stop.set(true);
      writer.join();
      index.close();
    }
    try (var files = Files.list(dir)) {
      assertThat(files.filter(file -> file.getFileName().toString().startsWith("."))).isEmpty();
    }
  }

  @Test
  void aSnapshotMayBeAZip() throws IOException {
    write(put("https://example.org/a", "mill", AT));

    IndexSnapshot.take(path("index"), path("copy.zip"));

    try (var zip = new ZipFile(path("copy.zip").toFile())) {
      assertThat(zip.stream()).anyMatch(entry -> entry.getName().startsWith("segments_"));
    }
  }

  @Test
  void thereIsNoSnapshotOfNothing() {
    assertThatThrownBy(() -> IndexSnapshot.take(path("none"), path("copy")))
        .isInstanceOf(SearchException.class);
  }

  @Test
  void aRebuildKeepsEverythingAndReadersFollow() {
    write(
        put("https://example.org/a", "mills", AT),
        put("https://example.org/b", "mills", AT),
        new PageChange.Remove("https://example.org/c", AT));
    try (var search = new PageSearch(path("index"), CONFIG, CLOCK)) {
      var before = search.find("https://example.org/a");

      assertThat(IndexRebuild.run(path("index"), CLOCK)).isEqualTo(2);

      assertThat(search.find("https://example.org/a")).isEqualTo(before);
      assertThat(search.search(SearchQuery.of("mill")).total()).isEqualTo(2);
    }
    write(put("https://example.org/c", "late", AT.minusSeconds(1)));
    assertThat(count(path("index"))).isEqualTo(2); // the removal is remembered (F38)
  }

  @Test
  void aRebuildNeedsTheIndexForItself() {
    try (var _ = new LuceneIndex(path("index"), CONFIG, CLOCK)) {
      assertThatThrownBy(() -> IndexRebuild.run(path("index"), CLOCK))
          .hasMessageContaining("another process is writing");
    }
  }

  private void write(PageChange... changes) {
    try (var index = new LuceneIndex(path("index"), CONFIG, CLOCK)) {
      index.apply(List.of(changes));
    }
  }

  private static long count(Path index) {
    try (var search = new PageSearch(index, CONFIG, CLOCK)) {
      return search.stats().documents();
    }
  }

  private Path path(String name) {
    return dir.resolve(name);
  }
}

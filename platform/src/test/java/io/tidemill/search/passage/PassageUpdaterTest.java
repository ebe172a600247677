package io.tidemill.search.passage;

import static io.tidemill.search.query.SamplePageDocuments.AT;
import static io.tidemill.search.query.SamplePageDocuments.CONFIG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.lucene.IndexSnapshot;
import io.tidemill.lucene.SearchException;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.index.IndexRebuild;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.index.OpenIndex;
import io.tidemill.search.index.PageFields;
import io.tidemill.search.query.PageSearch;
import io.tidemill.search.query.SamplePageDocuments;
import io.tidemill.support.TestEmbedder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PassageUpdaterTest {
  @TempDir private Path folder;
  private Path dir;

  @BeforeEach
  void place() {
    dir = folder.resolve("index");
  }

  @Test
  void goesOnWhereItWas() throws InterruptedException {
    apply(pages(0, 40));

    try (var first = open()) {
      assertThat(first.round()).isTrue();
      assertThat(first.behind()).isBetween(1L, 39L);
    }
    try (var second = open()) {
      var left = second.behind();
      assertThat(left).isBetween(1L, 39L);
      finish(second);
    }

    assertThat(stats()).isEqualTo(new PassageStats(40, 0));
  }

  @Test
  void aRoundThatWasStoppedIsDoneAgain() throws InterruptedException {
    apply(pages(0, 5));
    try (var stopped = open()) {
      stopped.stop();
      assertThatThrownBy(stopped::round).isInstanceOf(InterruptedException.class);
    }
    assertThat(stats()).isEqualTo(new PassageStats(0, 5));

    try (var next = open()) {
      finish(next);
    }
    assertThat(stats()).isEqualTo(new PassageStats(5, 0));
  }

  @Test
  void aChangedPageHasItsNewPassagesOnly() throws InterruptedException {
    var url = "https://example.org/page";
    var text = "Words that fill a few passages, one after the other. ".repeat(60);
    try (var update = open()) {
      apply(List.of(put(url, text, "first", AT)));
      finish(update);
      var before = stats().passages();
      assertThat(before).isGreaterThan(1);

      apply(List.of(put(url, "Short now.", "second", AT.plusSeconds(1))));
      finish(update);

      assertThat(stats()).isEqualTo(new PassageStats(1, 0));
    }
  }

  @Test
  void onlyOneProcessWrites() {
    try (var _ = open()) {
      assertThatThrownBy(this::open)
          .isInstanceOfSatisfying(
              SearchException.class, taken -> assertThat(taken.isTaken()).isTrue());
    }
  }

  @Test
  void readsAnIndexOfTheTimeBeforeChangesWereNumbered() throws Exception {
    old(List.of("https://old.example/1", "https://old.example/2", "https://old.example/3"));
    assertThat(stats()).isEqualTo(new PassageStats(0, 3));

    try (var update = open()) {
      finish(update);
      assertThat(stats()).isEqualTo(new PassageStats(3, 0));

      apply(pages(0, 2));
      assertThat(update.behind()).isEqualTo(2);
      finish(update);
    }
    assertThat(stats()).isEqualTo(new PassageStats(5, 0));
  }

  @Test
  void aRebuiltIndexNeedsNoNewVectors() throws InterruptedException {
    apply(pages(0, 3));
    try (var update = open()) {
      finish(update);
    }

    IndexRebuild.run(dir, InstantSource.fixed(AT));

    assertThat(stats()).isEqualTo(new PassageStats(3, 0));
    apply(pages(3, 5));
    assertThat(stats().behind()).isEqualTo(2);
  }

  @Test
  void anEarlierCopyOfTheIndexIsReadFromItsBeginning() throws Exception {
    apply(pages(0, 3));
    var copy = folder.resolve("copy");
    IndexSnapshot.take(dir, copy);
    apply(pages(3, 6));
    try (var update = open()) {
      finish(update);
    }

    try (var files = Files.list(dir)) {
      for (var file : files.toList()) Files.delete(file);
    }
    try (var files = Files.list(copy)) {
      for (var file : files.toList()) Files.copy(file, dir.resolve(file.getFileName()));
    }
    try (var update = open()) {
      assertThat(update.behind()).isEqualTo(3);
      finish(update);
      apply(List.of(put("https://example.org/new", "New after the copy.", "new", AT)));
      finish(update);
    }
    try (var search = search()) {
      var found = search.passages("new", List.of("https://example.org/new"), 1);
      assertThat(found)
          .extracting(PageSearch.FoundPassage::text)
          .containsExactly("New after the copy.");
      // Passages of pages that the copy does not have are gone.
      assertThat(search.passageStats()).isEqualTo(new PassageStats(4, 0));
    }
  }

  enum Damage {
    GONE,
    EMPTY,
    CUT,
    OVERWRITTEN
  }

  @ParameterizedTest
  @EnumSource
  void damagedPassagesAreMadeAnew(Damage damage) throws Exception {
    apply(pages(0, 3));
    try (var update = open()) {
      finish(update);
    }
    var files = passageFiles().size();
    assertThat(files).isPositive();

    for (int file = 0; file < files; file++) {
      var name = passageFiles().get(file);
      damage(name, damage);
      try (var update = open()) {
        finish(update);
      }
      assertThat(stats()).as("%s %s", name, damage).isEqualTo(new PassageStats(3, 0));
      try (var search = search()) {
        var found = search.passages("number", List.of("https://example.org/1"), 1);
        assertThat(found).as("%s %s", name, damage).hasSize(1);
      }
    }
  }

  @Test
  void searchesGoByWordsWhilePassagesAreDamaged() throws Exception {
    apply(pages(0, 3));
    try (var update = open()) {
      finish(update);
    }
    for (var file : passageFiles()) damage(file, Damage.CUT);

    try (var search = search()) {
      var found = search.search(SearchQuery.of("number 1"));
      assertThat(found.mode()).isEqualTo(SearchQuery.Mode.KEYWORD);
      assertThat(found.hits().getFirst().url()).isEqualTo("https://example.org/1");
    }
  }

  private List<Path> passageFiles() throws IOException {
    try (var files = Files.list(PassageIndex.beside(dir))) {
      return files.filter(file -> !file.endsWith("write.lock")).sorted().toList();
    }
  }

  private static void damage(Path file, Damage damage) throws IOException {
    var bytes = Files.readAllBytes(file);
    switch (damage) {
      case GONE -> Files.delete(file);
      case EMPTY -> Files.write(file, new byte[0]);
      case CUT -> Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
      case OVERWRITTEN -> Files.write(file, new byte[bytes.length]);
    }
  }

  @Test
  void clearMakesThemAnew() throws InterruptedException {
    apply(pages(0, 2));
    try (var update = open()) {
      finish(update);
      update.clear();
      assertThat(stats()).isEqualTo(new PassageStats(0, 2));
      finish(update);
    }
    assertThat(stats()).isEqualTo(new PassageStats(2, 0));
  }

  private PassageUpdater open() {
    return new PassageUpdater(dir, TestEmbedder.shared());
  }

  private static void finish(PassageUpdater update) throws InterruptedException {
    while (update.round()) assertThat(update.behind()).isNotNegative();
    assertThat(update.behind()).isZero();
  }

  private PageSearch search() {
    return new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared());
  }

  private PassageStats stats() {
    try (var search = search()) {
      return search.passageStats();
    }
  }

  private void apply(List<PageChange> changes) {
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT))) {
      index.apply(changes);
    }
  }

  private static List<PageChange> pages(int from, int to) {
    var pages = new ArrayList<PageChange>();
    for (int i = from; i < to; i++) {
      pages.add(put("https://example.org/" + i, "Page number " + i, "hash" + i, AT));
    }
    return pages;
  }

  private static PageChange put(String url, String main, String hash, Instant at) {
    return new PageChange.Put(
        new PageDocument(
            url, "A title", "", main, "", "en", "text/html", 200, at, null, "crawl", hash, "id"));
  }

  private void old(List<String> urls) throws IOException {
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT))) {
      index.apply(List.of());
    }
    try (var directory = FSDirectory.open(dir);
        var writer = new IndexWriter(directory, OpenIndex.config())) {
      for (var url : urls)
        writer.addDocument(unnumbered(SamplePageDocuments.page(url, "Old", "An old page.")));
      writer.commit();
    }
  }

  private static Document unnumbered(PageDocument page) {
    var document = PageFields.document(page, 1);
    for (var name : List.of(PageFields.SEQ, "key")) document.removeFields(name);
    return document;
  }
}

package io.tidemill.search.index;

import static io.tidemill.search.query.SamplePageDocuments.AT;
import static io.tidemill.search.query.SamplePageDocuments.CONFIG;
import static io.tidemill.search.query.SamplePageDocuments.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import io.tidemill.lucene.SearchException;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageChange.Remove;
import io.tidemill.search.PageDocument;
import io.tidemill.search.query.PageSearch;
import io.tidemill.search.query.SamplePageDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LuceneIndexTest {
  private static final String URL = "https://example.org/page";

  @TempDir private Path dir;
  private Instant now = AT;
  private final InstantSource clock = () -> now;

  @Test
  void aPageIsThereAsItWasGiven() {
    var page =
        new PageDocument(
            URL,
            "Tide Mills",
            "A page",
            "About mills.\nMore.",
            "Home",
            "en",
            "text/html",
            203,
            AT,
            AT.minusSeconds(60),
            "c-1",
            "abc",
            "m-1");

    apply(new PageChange.Put(page));

    assertThat(find(URL)).contains(page);
  }

  @Test
  void keepsTheUrlAsItWasFetchedBesideTheIdentity() { // C4.4
    var page = spelled("https://example.org/Page?B=2&a=1");

    apply(new PageChange.Put(page));

    assertThat(find(URL)).contains(page);
    IndexRebuild.run(dir, clock);
    assertThat(find(URL)).contains(page);
  }

  private static PageDocument spelled(String fetchedUrl) {
    return new PageDocument(
        URL, fetchedUrl, "Mills", "", "Text", "", "en", "", 200, AT, null, "", "", "");
  }

  @Test
  void anIndexKeepsItsIdWhereverItGoes(@TempDir Path moved) throws IOException {
    var id = id();
    apply(put(URL, "text", AT));
    assertThat(id()).isEqualTo(id);

    IndexRebuild.run(dir, clock);
    assertThat(id()).isEqualTo(id);

    try (var files = Files.list(dir)) {
      for (var file : files.toList()) Files.move(file, moved.resolve(file.getFileName()));
    }
    assertThat(OpenIndex.id(moved)).isEqualTo(id);
    assertThat(id()).isNotEqualTo(id); // made anew in the old place
  }

  @Test
  void anIndexOfTheTimeBeforeIdsGetsOne() throws IOException {
    try (var directory = FSDirectory.open(dir);
        var writer = new IndexWriter(directory, OpenIndex.config())) {
      writer.addDocument(PageFields.document(spelled(URL), 7));
      writer.setLiveCommitData(Map.of("committedAt", "1", "lastSeq", "7").entrySet());
      writer.commit();
    }
    assertThat(OpenIndex.id(dir)).isEmpty();

    var id = id();

    assertThat(id).isNotEmpty().isEqualTo(OpenIndex.id(dir)).isEqualTo(id());
    assertThat(find(URL)).isPresent();
  }

  private String id() {
    try (var index = new LuceneIndex(dir, CONFIG, clock)) {
      return index.id();
    }
  }

  @Test
  void theLaterVersionStaysInWhicheverOrderTheyCome() { // F38
    apply(put(URL, "new", AT));
    apply(put(URL, "old", AT.minusSeconds(1)));

    assertThat(main(URL)).isEqualTo("new");
    assertThat(stats().documents()).isEqualTo(1);
  }

  @Test
  void theLaterVersionStaysWithinABatch() { // F38
    apply(put(URL, "new", AT), put(URL, "old", AT.minusSeconds(1)));

    assertThat(main(URL)).isEqualTo("new");
  }

  @Test
  void theSameMessageTwiceIsOnePage() { // F38
    apply(put(URL, "text", AT), put(URL, "text", AT));
    apply(put(URL, "text", AT));

    assertThat(stats().documents()).isEqualTo(1);
  }

  @Test
  void anOlderMessageDoesNotBringARemovedPageBack() { // F38
    apply(put(URL, "text", AT));
    apply(new Remove(URL, AT.plusSeconds(1)));
    apply(put(URL, "text", AT));

    assertThat(find(URL)).isEmpty();
    assertThat(stats().documents()).isZero();

    apply(put(URL, "again", AT.plusSeconds(2)));
    assertThat(main(URL)).isEqualTo("again");
  }

  @Test
  void aRemovalThatComesFirstIsNotForgotten() { // F38
    apply(new Remove(URL, AT));
    apply(put(URL, "text", AT.minusSeconds(1)));

    assertThat(find(URL)).isEmpty();
  }

  @Test
  void removalsAreForgottenAfterADay() {
    try (var index = index()) {
      index.apply(List.of(new Remove(URL, AT)));
      now = AT.plus(Duration.ofHours(25));
      index.apply(List.of(put("https://example.org/other", "text", now)));
      index.apply(List.of(put(URL, "old", AT.minusSeconds(1))));
    }
    assertThat(main(URL)).isEqualTo("old");
  }

  @Test
  void whateverTheOrderTheEndIsTheSame() { // F38
    qt().withExamples(8)
        .forAll(longs().all())
        .checkAssert(seed -> {
          try {
            shuffled(new Random(seed), Files.createTempDirectory(dir, "shuffle"));
          } catch (IOException failed) {
            throw new AssertionError(failed);
          }
        });
  }

  private void shuffled(Random random, Path folder) {
    var changes = new ArrayList<PageChange>();
    for (var i = 0; i < 60; i++) {
      var url = "https://example.org/" + random.nextInt(8);
      var at = AT.plusMillis(i); // no two at the same time: then the model is clear
      changes.add(random.nextInt(4) == 0 ? new Remove(url, at) : put(url, "text " + i, at));
    }
    var model = new HashMap<String, PageChange>();
    changes.forEach(change -> model.put(change.url(), change));
    var deliveries = new ArrayList<>(changes);
    deliveries.addAll(changes.subList(0, 30));
    Collections.shuffle(deliveries, random);

    try (var index = new LuceneIndex(folder, CONFIG, clock)) {
      for (var from = 0; from < deliveries.size(); ) {
        var to = Math.min(deliveries.size(), from + 1 + random.nextInt(40));
        index.apply(deliveries.subList(from, to));
        from = to;
      }
    }

    assertSame(folder, model);
  }

  private void assertSame(Path folder, Map<String, PageChange> model) {
    try (var search = new PageSearch(folder, CONFIG, clock)) {
      model.forEach((url, last) -> {
        var expected =
            last instanceof PageChange.Put(var page) ? Optional.of(page) : Optional.empty();
        assertThat(search.find(url)).isEqualTo(expected);
      });
      var pages = model.values().stream().filter(PageChange.Put.class::isInstance).count();
      assertThat(search.stats().documents()).isEqualTo(pages);
    }
  }

  @Test
  void aSecondWriterIsRefusedWithAReason() {
    try (var _ = index()) {
      assertThatThrownBy(this::index)
          .isInstanceOf(SearchException.class)
          .hasMessageContaining("another process is writing the index in " + dir);
    }
  }

  @Test
  void worksAgainAfterTheDiskFailed() throws IOException {
    try (var index = index()) {
      index.apply(List.of(put(URL, "one", AT)));
      var real = dir.resolveSibling(dir.getFileName() + "-moved");
      Files.move(dir, real);
      Files.writeString(dir, "not a folder");

      assertThatThrownBy(() -> index.apply(List.of(put(URL, "two", AT.plusSeconds(1)))))
          .isInstanceOf(SearchException.class)
          .hasMessageContaining(dir.toString());

      Files.delete(dir);
      Files.move(real, dir);
      index.apply(List.of(put(URL, "three", AT.plusSeconds(2))));
    }
    assertThat(main(URL)).isEqualTo("three");
  }

  @Test
  void noPageIsTooOddToBeKept() {
    var endless = "https://example.org/" + "x".repeat(100_000);
    var odd =
        List.of(
            put(endless, "long", AT),
            put("no url at all", "\ud800 half a character \u0000", AT),
            put("", "nothing", AT),
            put("https://example.org/words", "y".repeat(200_000), AT),
            put("https://example.org/early", "early", Instant.MIN),
            put("https://example.org/late", "late", Instant.MAX),
            new PageChange.Put(
                SamplePageDocuments.page(URL, "t".repeat(50_000), "", "x".repeat(50_000), AT)));

    apply(odd.toArray(PageChange[]::new));

    assertThat(main(endless)).isEqualTo("long");
    assertThat(find(URL)).isPresent();
  }

  @Test
  void saysHowMuchItHolds() {
    apply(put(URL, "text", AT), put("https://example.org/2", "text", AT));

    var stats = stats();

    assertThat(stats.documents()).isEqualTo(2);
    assertThat(stats.bytes()).isPositive();
    assertThat(stats.committedAt()).isEqualTo(AT);
  }

  private LuceneIndex index() {
    return new LuceneIndex(dir, CONFIG, clock);
  }

  private void apply(PageChange... changes) {
    try (var index = index()) {
      index.apply(List.of(changes));
    }
  }

  private Optional<PageDocument> find(String url) {
    try (var search = new PageSearch(dir, CONFIG, clock)) {
      return search.find(url);
    }
  }

  private String main(String url) {
    return find(url).orElseThrow().main();
  }

  private IndexStats stats() {
    try (var search = new PageSearch(dir, CONFIG, clock)) {
      return search.stats();
    }
  }
}

package io.tidemill.search.query;

import static io.tidemill.search.query.SamplePageDocuments.AT;
import static io.tidemill.search.query.SamplePageDocuments.CONFIG;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.search.PageChange;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchQuery.Mode;
import io.tidemill.search.SearchResult;
import io.tidemill.search.SearchResult.Count;
import io.tidemill.search.SearchResult.Hit;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.passage.PassageStats;
import io.tidemill.search.passage.PassageUpdater;
import io.tidemill.support.TestEmbedder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Search by words and meaning (C4.7).
class HybridSearchTest {
  private static final String TIDES = "https://sea.example/tides";
  private static final String BREAD = "https://food.example/bread";
  private static final String CATS = "https://animals.example/cats";
  private static final String FILLER = "https://filler.example/";

  @TempDir private static Path folder;

  private static PageSearch search;

  @BeforeAll
  static void index() throws InterruptedException {
    var dir = folder.resolve("index");
    var changes = new ArrayList<PageChange>();
    changes.add(
        page(
            TIDES,
            "The tides",
            "Many harbours have piers, and ships tie up beside them. ".repeat(25)
                + "\nThe ocean rises and falls twice a day because the moon attracts the water. "
                + "When sun and moon stand in one line, high water is highest. "
                + "In narrow bays the difference can be more than ten metres. "
                + "Coasts far from the ocean hardly notice it."));
    changes.add(page(BREAD, "Baking bread", "Knead flour, yeast and salt, then let it rest."));
    changes.add(page(CATS, "Cats", "Felines sleep for most of the day and hunt at night."));
    for (int i = 0; i < 30; i++) {
      changes.add(page(FILLER + i, "Ledger " + i, "Invoice number " + i + " was paid in full."));
    }
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT))) {
      index.apply(changes);
    }
    try (var update = new PassageUpdater(dir, TestEmbedder.shared())) {
      assertThat(update.behind()).isEqualTo(changes.size());
      while (update.round()) assertThat(update.behind()).isLessThan(changes.size());
    }
    search = new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared());
  }

  private static PageChange page(String url, String title, String main) {
    return SamplePageDocuments.put(url, title, main);
  }

  @AfterAll
  static void close() {
    search.close();
  }

  @Test
  void findsAPageThatHasNoneOfTheWords() {
    var query = SearchQuery.of("cause of changing sea levels");

    assertThat(urls(search.search(query.by(Mode.KEYWORD)))).doesNotContain(TIDES);
    var found = search.search(query);

    assertThat(found.mode()).isEqualTo(Mode.HYBRID);
    assertThat(found.hits().getFirst().url()).isEqualTo(TIDES);
  }

  @Test
  void showsTheBestPassageOfAPageOnce() {
    var found = search.search(SearchQuery.of("gravity of the lunar body on water"));

    var tides = found.hits().stream().filter(hit -> hit.url().equals(TIDES)).toList();
    assertThat(tides).hasSize(1);
    assertThat(tides.getFirst().passage()).contains("the moon attracts the water");
    assertThat(tides.getFirst().similarity()).isBetween(0.3, 1.0);
  }

  @Test
  void aSnippetOfAPageWithoutTheWordsIsItsPassage() {
    var found = search.search(SearchQuery.of("feline behaviour nocturnal"));

    assertThat(found.hits().getFirst().url()).isEqualTo(CATS);
    assertThat(found.hits().getFirst().snippet()).contains("sleep for most of the day");
  }

  @Test
  void findsNothingForWhatIsNowhere() {
    var found = search.search(SearchQuery.of("asdf qwerty zxcvb"));

    assertThat(found.hits()).isEmpty();
    assertThat(found.total()).isZero();
  }

  @Test
  void ofPagesOnOneSubjectOnlyThoseThatStandOutAreFound(@TempDir Path coast)
      throws InterruptedException {
    var texts =
        Map.ofEntries(
            Map.entry("surfing", "Riders wait for a breaker, stand up on the board and glide."),
            Map.entry("tides", "The ocean rises and falls twice a day because of the moon."),
            Map.entry("lighthouses", "A lamp on a tower warns ships of rocks at night."),
            Map.entry("ferries", "Boats carry cars and people to the islands every hour."),
            Map.entry("quotas", "Trawlers may land no more cod than the ministry allows."),
            Map.entry("reefs", "Tiny polyps build limestone in warm shallow seas."),
            Map.entry("whales", "Humpbacks sing for hours and come up for air."),
            Map.entry("wrecks", "Divers found the hull of a galleon on the sea bed."),
            Map.entry("knots", "A bowline makes a loop that does not slip."),
            Map.entry("salt", "Brine dries in the sun until white crystals are left."),
            Map.entry("pilots", "They know every shoal and steer tankers to the quay."),
            Map.entry("gulls", "Gulls follow the boats and steal chips from tourists."));
    var pages = new ArrayList<PageChange>();
    texts.forEach((name, text) -> pages.add(page(FILLER + name, "Harbour " + name, text)));
    var dir = coast.resolve("index");
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT));
        var update = new PassageUpdater(dir, TestEmbedder.shared());
        var found = new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared())) {
      index.apply(pages);
      while (update.round()) {}

      var hits = found.search(SearchQuery.of("ocean waves sport"));

      // One has a word of it, the other its meaning; the rest is about the sea as well.
      assertThat(urls(hits)).containsExactlyInAnyOrder(FILLER + "surfing", FILLER + "tides");
      assertThat(hits.total()).isEqualTo(2);
    }
  }

  @Test
  void aPageThatWaitsForItsVectorsIsNotBehind(@TempDir Path some) throws InterruptedException {
    var dir = some.resolve("index");
    var pages = new ArrayList<PageChange>();
    for (int i = 0; i < 20; i++) {
      pages.add(page(FILLER + i, "Moon " + i, "The moon moves the sea. Harbour " + i + "."));
    }
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT));
        var update = new PassageUpdater(dir, TestEmbedder.shared());
        var found = new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared())) {
      index.apply(pages);
      while (update.round()) {}
      index.apply(
          List.of(page(TIDES, "Moon and tides", "The moon moves the sea: that makes the tides.")));
      var query = explained("moon tides sea");

      var first = found.search(query).hits().getFirst();

      assertThat(urls(found.search(query.by(Mode.KEYWORD)))).startsWith(TIDES);
      assertThat(first.url()).isEqualTo(TIDES);
      assertThat(first.why()).contains("its meaning is not known yet: its words count twice");
      while (update.round()) {}
      assertThat(found.search(query).hits().getFirst().url()).isEqualTo(TIDES);
      assertThat(found.search(query).hits().getFirst().why())
          .noneSatisfy(text -> assertThat(text).contains("not known yet"));
    }
  }

  @Test
  void countsPagesThatWereFoundByMeaning() {
    var query = SearchQuery.of("how to make dough");

    var words = search.search(query.by(Mode.KEYWORD));
    var both = search.search(query);

    assertThat(both.total()).isEqualTo(both.hits().size()).isGreaterThan(words.total());
    assertThat(both.facets().site()).contains(new Count("food.example", 1));
  }

  @Test
  void conditionsHoldForBothWays() {
    assertThat(urls(search.search(SearchQuery.of("ocean moon water site:food.example"))))
        .doesNotContain(TIDES);
    assertThat(urls(search.search(SearchQuery.of("sea level rising -moon")))).doesNotContain(TIDES);
    assertThat(urls(search.search(SearchQuery.of("sea level rising site:sea.example"))))
        .containsExactly(TIDES);
    assertThat(urls(search.search(SearchQuery.of("sea level rising \"invoice number\""))))
        .doesNotContain(TIDES);
    assertThat(urls(search.search(SearchQuery.of("sea level rising lang:de")))).isEmpty();
  }

  @Test
  void pagesOfResultsFitTogether() {
    var query = SearchQuery.of("invoice paid in full");
    var whole = urls(search.search(query.page(1, 40)));

    var turned = new ArrayList<String>();
    for (int page = 1; page <= 8; page++) turned.addAll(urls(search.search(query.page(page, 5))));

    assertThat(turned).startsWith(whole.toArray(String[]::new));
    assertThat(new HashSet<>(turned)).hasSameSizeAs(turned);
  }

  @Test
  void everyPageIsFoundOnceOnDeepPagesOfResults(@TempDir Path many) throws InterruptedException {
    var pages = new ArrayList<PageChange>();
    for (int i = 0; i < 230; i++) {
      pages.add(page(FILLER + i, "Ledger", "Invoice " + i + " was paid. ".repeat(1 + i % 7)));
    }
    var dir = many.resolve("index");
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT));
        var update = new PassageUpdater(dir, TestEmbedder.shared());
        var deep = new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared())) {
      index.apply(pages);
      while (update.round()) {}
      var query = SearchQuery.of("invoice that was paid");

      for (var size : List.of(100, 23, 7)) {
        var turned = new ArrayList<String>();
        for (int page = 1; page <= 230 / size + 1; page++) {
          var found = deep.search(query.page(page, size));
          assertThat(found.total()).isEqualTo(230);
          turned.addAll(urls(found));
        }
        assertThat(turned).hasSize(230).doesNotHaveDuplicates();
      }
    }
  }

  @Test
  void explainsPlacesByWordsAndByMeaning() {
    var why = search.search(explained("why does the ocean rise")).hits().getFirst().why();

    assertThat(why).anySatisfy(text -> assertThat(text).startsWith("number 1 by its words"));
    assertThat(why)
        .anySatisfy(text -> assertThat(text).matches("number 1 by its meaning \\(similarity .*"));
    assertThat(why).anySatisfy(text -> assertThat(text).contains("\"ocean\" in the text"));
  }

  @Test
  void newestFirstGoesByWordsAlone() {
    var query =
        new SearchQuery(
            "invoice", "", "", "", null, null, 1, 10, SearchQuery.Order.NEWEST, false, Mode.HYBRID);

    assertThat(search.search(query).mode()).isEqualTo(Mode.KEYWORD);
  }

  @Test
  void withoutVectorsWordsAreEnough(@TempDir Path empty) {
    var dir = empty.resolve("index");
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT))) {
      index.apply(List.of(page(BREAD, "Baking bread", "Knead the flour.")));
    }
    try (var plain = new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared())) {
      var found = plain.search(SearchQuery.of("flour"));
      assertThat(urls(found)).containsExactly(BREAD);
      assertThat(found.mode()).isEqualTo(Mode.KEYWORD);
      assertThat(plain.passageStats()).isEqualTo(new PassageStats(0, 1));
    }
  }

  @Test
  void aPageThatIsNoLongerThereIsNotFound(@TempDir Path empty) throws InterruptedException {
    var dir = empty.resolve("index");
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT));
        var update = new PassageUpdater(dir, TestEmbedder.shared());
        var found = new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared())) {
      index.apply(
          List.of(page(CATS, "Cats", "Felines sleep all day."), page(BREAD, "Bread", "Dough.")));
      while (update.round()) {}
      assertThat(urls(found.search(SearchQuery.of("sleeping pets")))).contains(CATS);

      // Before its passages are gone, and behind.
      index.apply(List.of(new PageChange.Remove(CATS, AT.plus(Duration.ofSeconds(1)))));
      assertThat(urls(found.search(SearchQuery.of("sleeping pets")))).doesNotContain(CATS);
      while (update.round()) {}
      assertThat(found.passageStats()).isEqualTo(new PassageStats(1, 0));
    }
  }

  private static SearchQuery explained(String text) {
    return new SearchQuery(
        text, "", "", "", null, null, 1, 10, SearchQuery.Order.RELEVANCE, true, Mode.HYBRID);
  }

  private static List<String> urls(SearchResult answer) {
    return answer.hits().stream().map(Hit::url).toList();
  }
}

package io.tidemill.search.query;

import static io.tidemill.search.query.SamplePageDocuments.AT;
import static io.tidemill.search.query.SamplePageDocuments.CONFIG;
import static io.tidemill.search.query.SamplePageDocuments.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.SearchQuery;
import io.tidemill.search.SearchResult.Count;
import io.tidemill.search.SearchResult.Hit;
import io.tidemill.search.index.IndexStats;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class PageSearchTest {
  private static final InstantSource CLOCK = InstantSource.fixed(AT);

  @TempDir private Path dir;
  private LuceneIndex index;
  private PageSearch search;

  @BeforeEach
  void open() {
    index = new LuceneIndex(dir, CONFIG, CLOCK);
    search = new PageSearch(dir, CONFIG, CLOCK);
  }

  @AfterEach
  void close() {
    search.close();
    index.close();
  }

  @Test
  void findsNothingWhereThereIsNoIndex() {
    try (var elsewhere = new PageSearch(dir.resolve("none"), CONFIG, CLOCK)) {
      assertThat(elsewhere.search(SearchQuery.of("tide")).total()).isZero();
      assertThat(elsewhere.suggest("ti", 5)).isEmpty();
      assertThat(elsewhere.find("https://example.org/")).isEmpty();
      assertThat(elsewhere.stats()).isEqualTo(IndexStats.NONE);
    }
  }

  @Test
  void findsAWordInItsOtherForms() {
    put("1", "Mills", "The tides were running high.");

    assertThat(urls("tide run")).containsExactly("1");
    assertThat(urls("Tides' RUNS")).containsExactly("1");
  }

  @Test
  void findsAPhraseAsItIsWrittenOnly() {
    put("1", "One", "universities of the north");
    put("2", "Two", "the university north of here");

    assertThat(urls("\"university north\"")).containsExactly("2");
    assertThat(urls("\"north university\"")).isEmpty();
    assertThat(urls("title:two")).containsExactly("2");
    assertThat(urls("title:university")).isEmpty();
  }

  @Test
  void findsAPhraseBesideTheMainText() {
    put("1", "One", "the main text");
    apply(besides(page("https://example.org/2", "Two", "the main text"), "Heading of the page"));

    assertThat(urls("\"heading of the page\"")).containsExactly("2");
    assertThat(urls("headi*")).containsExactly("2");
  }

  private static PageDocument besides(PageDocument page, String rest) {
    return new PageDocument(
        page.url(),
        page.title(),
        page.description(),
        page.main(),
        rest,
        page.language(),
        page.type(),
        page.statusCode(),
        page.fetchedAt(),
        page.publishedAt(),
        page.crawlId(),
        page.contentHash(),
        page.messageId());
  }

  @Test
  void leavesOutWhatIsNotWanted() {
    put("1", "One", "tide mill by the sea");
    put("2", "Two", "wind mill by the sea");

    assertThat(urls("mill -wind")).containsExactly("1");
    assertThat(urls("mill -\"wind mill\"")).containsExactly("1");
    assertThat(urls("-wind")).containsExactly("1");
  }

  @Test
  void findsEitherOrAndBeginnings() {
    put("1", "One", "harbours");
    put("2", "Two", "lighthouses");
    put("3", "Three", "nothing");

    assertThat(urls("harbour OR lighthouse")).containsExactlyInAnyOrder("1", "2");
    assertThat(urls("lightho*")).containsExactly("2");
    assertThat(hit("lightho*").snippet()).contains("<em>lighthouses</em>");
  }

  @Test
  void prefersPagesWithAllWordsAndThoseWithTheWordInTheTitle() {
    put("body", "Something", "about a lighthouse and more words about other things");
    put("title", "Lighthouse", "about something and more words about other things");
    put("both", "Tower", "a lighthouse keeper lived here in a house");

    assertThat(urls("lighthouse").getFirst()).isEqualTo("title");
    assertThat(urls("lighthouse keeper").getFirst()).isEqualTo("both");
  }

  @Test
  void prefersWordsThatStandTogether() {
    put("apart", "One", "mill word word word word word word word word word word tide");
    put("near", "Two", "tide mill word word word word word word word word word word");

    assertThat(urls("tide mill")).startsWith("near");
  }

  @Test
  void forgivesAMisspelling() {
    put("1", "Lighthouse", "the lighthouse of the harbour");

    var answer = search.search(SearchQuery.of("lighthuose"));

    assertThat(answer.hits()).hasSize(1);
    assertThat(answer.didYouMean()).contains("lighthouse");
    assertThat(search.search(SearchQuery.of("harbour")).didYouMean()).isEmpty();
  }

  @Test
  void filtersBySiteLanguageTypeAndDate() {
    apply(
        new PageDocument(
            "https://a.example.org/1",
            "One",
            "",
            "mill",
            "",
            "en",
            "text/html",
            200,
            AT,
            null,
            "",
            "",
            ""),
        new PageDocument(
            "https://example.org/2",
            "Two",
            "",
            "mill",
            "",
            "de",
            "application/pdf",
            200,
            AT,
            AT.minus(Duration.ofDays(40)),
            "",
            "",
            ""),
        new PageDocument(
            "https://badexample.org/3",
            "Three",
            "",
            "mill",
            "",
            "en",
            "text/html",
            200,
            AT,
            null,
            "3f6c1a2e-0001-4000-8000-000000000003",
            "",
            ""));

    assertThat(titles("mill crawl:3f6c1a2e-0001-4000-8000-000000000003")).containsExactly("Three");
    assertThat(titles("crawl:3f6c1a2e")).isEmpty();
    assertThat(titles("mill site:example.org")).containsExactlyInAnyOrder("One", "Two");
    assertThat(titles("mill site:a.example.org")).containsExactly("One");
    assertThat(titles("mill lang:de")).containsExactly("Two");
    assertThat(titles("mill type:pdf")).containsExactly("Two");
    assertThat(titles("url:badexample")).containsExactly("Three");
    assertThat(titles("site:example.org")).containsExactlyInAnyOrder("One", "Two");
    assertThat(titles("mill -site:example.org")).containsExactly("Three");
    var week =
        new SearchQuery(
            "mill",
            "",
            "",
            "",
            AT.minus(Duration.ofDays(7)),
            null,
            1,
            10,
            SearchQuery.Order.RELEVANCE,
            false,
            SearchQuery.Mode.HYBRID);
    assertThat(search.search(week).total()).isEqualTo(2);
    var older =
        new SearchQuery(
            "mill",
            "",
            "",
            "",
            null,
            AT.minus(Duration.ofDays(7)),
            1,
            10,
            SearchQuery.Order.RELEVANCE,
            false,
            SearchQuery.Mode.HYBRID);
    assertThat(search.search(older).total()).isEqualTo(1);
  }

  @Test
  void countsSitesLanguagesTypesAndAges() {
    apply(
        page("https://a.org/1", "One", "mill"),
        page("https://a.org/2", "Two", "mill"),
        page("https://b.org/3", "Drei", "mill", "de", AT.minus(Duration.ofDays(10))));

    var facets = search.search(SearchQuery.of("mill")).facets();

    assertThat(facets.site()).containsExactly(new Count("a.org", 2), new Count("b.org", 1));
    assertThat(facets.language()).containsExactly(new Count("en", 2), new Count("de", 1));
    assertThat(facets.type()).containsExactly(new Count("text/html", 3));
    assertThat(facets.date())
        .containsExactly(
            new Count("day", 2),
            new Count("week", 2),
            new Count("month", 3),
            new Count("year", 3),
            new Count("older", 0));
  }

  @Test
  void pagesThroughEverythingOnceAndInOrder() {
    var pages = new PageDocument[57];
    for (var i = 0; i < pages.length; i++) {
      pages[i] = page("https://example.org/" + i, "Same", "mill", "en", AT.minusSeconds(i));
    }
    apply(pages);

    for (var order : SearchQuery.Order.values()) {
      var seen = new ArrayList<String>();
      for (var number = 1; number <= 6; number++) {
        var query =
            new SearchQuery(
                "mill", "", "", "", null, null, number, 10, order, false, SearchQuery.Mode.HYBRID);
        var answer = search.search(query);
        assertThat(answer.total()).isEqualTo(57);
        answer.hits().forEach(hit -> seen.add(hit.url()));
      }
      var newestFirst = new ArrayList<String>();
      for (var page : pages) newestFirst.add(page.url());
      assertThat(seen).isEqualTo(newestFirst);
    }
  }

  @Test
  void aNewPageIsFoundAtOnceAndARemovedOneIsNot() {
    put("1", "One", "mill");
    assertThat(urls("mill")).hasSize(1);
    put("2", "Two", "mill");
    assertThat(urls("mill")).hasSize(2);
    index.apply(List.of(new PageChange.Remove("https://example.org/1", AT.plusSeconds(1))));
    assertThat(urls("mill")).containsExactly("2");
    assertThat(urls("")).containsExactly("2");
  }

  @Test
  void showsAMatchThatIsFarDownThePageOrBesideIt() {
    var far =
        "Words about nothing. ".repeat(400) + "The lighthouses stood. " + "More. ".repeat(400);
    put("far", "Far", far);
    apply(
        new PageDocument(
            "https://example.org/beside",
            "Beside",
            "",
            "Words about nothing.",
            "Home | Harbours <b> | Contact",
            "en",
            "text/html",
            200,
            AT,
            null,
            "",
            "",
            ""));

    assertThat(hit("lighthouse").snippet()).contains("The <em>lighthouses</em> stood.");
    assertThat(hit("harbour").snippet()).isEqualTo("Home | <em>Harbours</em> &lt;b&gt; | Contact");
  }

  @Test
  void explainsInPlainWords() {
    put("1", "Universities", "a university by the tide mill");

    var query =
        new SearchQuery(
            "university tide",
            "",
            "",
            "",
            null,
            null,
            1,
            10,
            SearchQuery.Order.RELEVANCE,
            true,
            SearchQuery.Mode.HYBRID);

    assertThat(search.search(query).hits().getFirst().why())
        .anySatisfy(why ->
            assertThat(why).matches("matches \"university\" in the title \\(weight [0-9.]+\\)"))
        .anySatisfy(
            why -> assertThat(why).matches("matches \"tide\" in the text \\(weight [0-9.]+\\)"))
        .noneSatisfy(why -> assertThat(why).containsAnyOf("univers\"", "idf", "BM25"));
  }

  @Test
  void completesTitlesAndWords() {
    put("1", "Tide Mills of England", "tides");
    put("2", "Timber", "time and tide");
    put("3", "Other", "tidal");

    assertThat(search.suggest("ti", 8)).contains("Tide Mills of England", "Timber", "tide");
    assertThat(search.suggest("tide mi", 8)).contains("Tide Mills of England", "tide mills");
    assertThat(search.suggest("TIDE  M", 1)).containsExactly("Tide Mills of England");
    assertThat(search.suggest("", 8)).isEmpty();
    assertThat(search.suggest("\u0000<*\"", 8)).isEmpty();
  }

  @Test
  void nothingOfAPageIsHtml() throws IOException { // F54
    var strings = new ArrayList<>(List.of("<script>alert(1)</script> mill", "<em>mill</em>"));
    try {
      var mapper = JsonMapper.shared();
      for (var line : Files.readAllLines(Corpora.find("hostile/xss-strings.jsonl"))) {
        strings.add(mapper.readTree(line).get("payload").stringValue());
      }
    } catch (org.opentest4j.TestAbortedException absent) {
      // The two above have to do.
    }
    var pages = new ArrayList<PageChange>();
    for (var i = 0; i < strings.size(); i++) {
      var text = strings.get(i);
      pages.add(
          new PageChange.Put(
              new PageDocument(
                  "https://example.org/" + i,
                  "mill " + text,
                  text,
                  text + " mill " + text,
                  text,
                  text,
                  text,
                  200,
                  AT,
                  null,
                  text,
                  text,
                  text)));
    }
    index.apply(pages);
    for (var from = 1; from <= pages.size() / 100 + 1; from++) {
      for (var hit : search.search(SearchQuery.of("mill script alert").page(from, 100)).hits()) {
        assertHarmless(hit.snippet());
        assertHarmless(hit.titleHighlighted());
      }
    }
    assertThat(search.search(SearchQuery.of("mill")).total()).isEqualTo(pages.size());
  }

  private static void assertHarmless(String html) {
    var rest = html.replace("<em>", "").replace("</em>", "");
    assertThat(rest).doesNotContain("<", ">", "\"", "'");
  }

  @Test
  void noQueryCostsTooMuchOrBreaks() { // F50
    var pages = new ArrayList<PageChange>();
    var text = new StringBuilder();
    for (var i = 0; i < 20_000; i++)
      text.append("word").append(Integer.toString(i, 36)).append(' ');
    for (var i = 0; i < 4; i++)
      pages.add(SamplePageDocuments.put("https://example.org/" + i, "T", text.toString()));
    index.apply(pages);
    var costly =
        new ArrayList<>(
            List.of(
                "wo* ".repeat(250),
                "\"" + "word1 ".repeat(160) + "\"",
                "wordxyzabc~ ".repeat(80),
                "*".repeat(1_000),
                "a* b* c* ".repeat(100),
                "(".repeat(1_000),
                "-word1 ".repeat(140),
                "word1 OR ".repeat(111),
                "site:".repeat(200)));
    for (var query : costly) {
      var start = System.nanoTime();
      var answer = search.search(SearchQuery.of(query));
      assertThat(answer.timedOut()).isFalse();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void survivesNaughtyQueries() {
    put("1", "One", "mill");
    for (var text : Corpora.naughtyStrings()) {
      search.search(SearchQuery.of(text));
      search.suggest(text, 5);
    }
    assertThat(urls("mill")).hasSize(1);
  }

  @Test
  void answersWithAPartWhenTimeIsUp() { // F50
    var pages = new ArrayList<PageChange>();
    for (var i = 0; i < 3_000; i++)
      pages.add(SamplePageDocuments.put("https://example.org/" + i, "T", "mill"));
    index.apply(pages);
    var hasty =
        new SearchConfig(
            "", Duration.ofNanos(1), 100, 10_000, Duration.ZERO, 1, Duration.ZERO, 0.3);
    try (var impatient = new PageSearch(dir, hasty, CLOCK)) {
      assertThat(impatient.search(SearchQuery.of("mill")).timedOut()).isTrue();
    }
  }

  @Test
  void germanFrenchAndJapaneseAreReadByTheirOwnRules() {
    apply(
        page("https://example.org/de", "Mühlen", "Die Häuser an den Flüssen sind alt.", "de", AT),
        page("https://example.org/fr", "Moulins", "L'histoire des chevaux nationaux.", "fr", AT),
        page("https://example.org/ja", "水車", "東京都の水車について説明します。", "ja", AT),
        page("https://example.org/en", "Mills", "The houses were built by rivers.", "en", AT));

    assertThat(urls("Haus Fluss")).containsExactly("de");
    assertThat(urls("muhle")).containsExactly("de");
    assertThat(urls("histoire cheval")).containsExactly("fr");
    assertThat(urls("東京")).containsExactly("ja");
    assertThat(hit("東京").snippet()).contains("<em>東京</em>都");
    assertThat(urls("京東")).isEmpty();
    assertThat(urls("house lang:en")).containsExactly("en");
    assertThat(urls("rivers lang:de")).isEmpty();
  }

  private void put(String name, String title, String main) {
    apply(page("https://example.org/" + name, title, main));
  }

  private void apply(PageDocument... pages) {
    index.apply(
        List.<PageChange>copyOf(java.util.Arrays.stream(pages).map(PageChange.Put::new).toList()));
  }

  private List<String> urls(String query) {
    return search.search(SearchQuery.of(query)).hits().stream()
        .map(hit -> hit.url().substring("https://example.org/".length()))
        .toList();
  }

  private List<String> titles(String query) {
    return search.search(SearchQuery.of(query)).hits().stream().map(Hit::title).toList();
  }

  private Hit hit(String query) {
    return search.search(SearchQuery.of(query)).hits().getFirst();
  }
}

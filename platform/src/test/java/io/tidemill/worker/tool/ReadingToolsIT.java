package io.tidemill.worker.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.tidemill.analytics.Analytics;
import io.tidemill.analytics.CollectedBatch;
import io.tidemill.analytics.CollectedItem;
import io.tidemill.api.JobFailure;
import io.tidemill.config.Settings;
import io.tidemill.json.Json;
import io.tidemill.search.PageChange;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.passage.PassageUpdater;
import io.tidemill.search.query.PageSearch;
import io.tidemill.search.query.SamplePageDocuments;
import io.tidemill.sql.AnalyticsConfig;
import io.tidemill.support.QuietCall;
import io.tidemill.support.TestEmbedder;
import io.tidemill.worker.HandlerRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// The tools that only look, on a real index and a real database (C3.11).
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReadingToolsIT {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);

  private Analytics analytics;
  private PageSearch pages;
  private PageSearch nothing;
  private HandlerRegistry handlers;
  private SearchConfig search;

  @BeforeAll
  void start(@TempDir Path dir) throws InterruptedException {
    var settings =
        Settings.load(
            null,
            Map.of(),
            Map.of("analytics.memory", "128MiB"),
            List.of(AnalyticsConfig.class, SearchConfig.class));
    search = settings.section(SearchConfig.class);
    try (var index = new LuceneIndex(dir.resolve("index"), search, CLOCK)) {
      index.apply(
          List.of(
              new PageChange.Put(
                  SamplePageDocuments.page(
                      "https://example.org/mill", "A mill", "The <mill> & the \"tide\".")),
              new PageChange.Put(
                  SamplePageDocuments.page("https://other.example/mill", "B", "A mill too.")),
              new PageChange.Put(
                  SamplePageDocuments.page(
                      "https://sea.example/tides",
                      "The tides",
                      "The ocean rises and falls twice a day because the moon attracts the water."))));
      try (var update = new PassageUpdater(dir.resolve("index"), TestEmbedder.shared())) {
        while (update.round()) assertThat(update.behind()).isNotNegative();
      }
      // This one has no vectors yet.
      index.apply(
          List.of(
              new PageChange.Put(
                  SamplePageDocuments.page("https://new.example/", "New", "Quite fresh."))));
    }
    pages = new PageSearch(dir.resolve("index"), search, CLOCK, TestEmbedder.shared());
    nothing = new PageSearch(dir.resolve("none"), search, CLOCK);
    analytics = new Analytics(settings.section(AnalyticsConfig.class), dir, CLOCK);
    var batch =
        new CollectedBatch("k", "e", "event", "evt", "web", "job", "web", 0, "b", "p", 2, NOW);
    try (var writer = analytics.batches().begin(batch)) {
      writer.add(item("a", 0.5));
      writer.add(item("b", -0.5));
      writer.commit();
    }
    handlers =
        HandlerRegistry.find(
            Path.of("no-plugins-here"),
            List.of(new SearchTool(() -> pages, search), new AnalyticsQueryTool(() -> analytics)),
            List.of());
  }

  private static CollectedItem item(String id, double sentiment) {
    return new CollectedItem(
        "web",
        "web",
        id,
        0,
        "https://t.example/" + id,
        "Title " + id,
        "text",
        new CollectedItem.Author("a", "Ann", 10, true),
        new CollectedItem.Reactions(1_000, 20, 3, 2, 1),
        new CollectedItem.Findings(
            "en", sentiment, List.of(new CollectedItem.Keyword("car", 1.0)), 3, 0),
        NOW);
  }

  @AfterAll
  void stop() {
    pages.close();
    nothing.close();
    analytics.close();
  }

  private JsonNode call(String tool, String arguments) throws Exception {
    var json = Json.parse(arguments.replace('\'', '"'));
    return handlers.forTask("tool").orElseThrow().handle(QuietCall.of(tool, json));
  }

  private void assertFails(String tool, String arguments, String code, String why) {
    assertThatThrownBy(() -> call(tool, arguments))
        .asInstanceOf(type(JobFailure.class))
        .satisfies(failure -> assertThat(failure.code()).isEqualTo(code))
        .extracting(Throwable::getMessage)
        .asString()
        .contains(why);
  }

  @Test
  void findsPagesAndShowsThemAsPlainText() throws Exception {
    var found = call("search", "{'query':'mill','site':'example.org'}");

    assertThat(found.path("total").asInt()).isEqualTo(1);
    var hit = found.at("/hits/0");
    assertThat(hit.path("url").asString()).isEqualTo("https://example.org/mill");
    assertThat(hit.path("snippet").asString()).isEqualTo("The <mill> & the \"tide\".");
    assertThat(hit.path("crawlId").asString()).isEqualTo("crawl");
    assertThat(call("search", "{'query':'mill','size':1,'page':2}").path("hits").size()).isOne();
  }

  @Test
  void findsPagesByMeaningAndShowsThePassage() throws Exception {
    var hit = call("search", "{'query':'cause of changing sea levels'}").at("/hits/0");

    assertThat(hit.path("url").asString()).isEqualTo("https://sea.example/tides");
    assertThat(hit.path("passage").asString()).contains("the moon attracts the water");
    assertThat(hit.path("similarity").asDouble()).isBetween(0.3, 1.0);
    var byWords = call("search", "{'query':'fresh','site':'new.example'}").at("/hits/0");
    assertThat(byWords.has("url")).isTrue();
    assertThat(byWords.has("passage")).isFalse();
    assertThat(byWords.has("similarity")).isFalse();
  }

  @Test
  void refusesToSearchWhatCanNotBeFound() {
    assertFails("search", "{}", "BAD_ARGUMENTS", "query");
    assertFails("search", "{'query':'a','size':101}", "BAD_ARGUMENTS", "size: ");
    assertFails("search", "{'query':'a','size':100,'page':101}", "BAD_ARGUMENTS", "page: ");
    var blind = new SearchTool(() -> nothing, search);
    assertThatThrownBy(() -> blind.call(Json.object().put("query", "mill"), new QuietCall("job")))
        .hasMessageContaining("search.dir");
  }

  @Test
  void answersEachQuestionAboutAProject() throws Exception {
    assertThat(call("analytics.query", "{'what':'projects'}").at("/projects/0/project").asString())
        .isEqualTo("web");
    var overview = call("analytics.query", "{'what':'overview','project':'web'}");
    assertThat(overview.at("/totals/items").asInt()).isEqualTo(2);
    var days = call("analytics.query", "{'what':'timeline','project':'web','interval':'month'}");
    assertThat(days.at("/sentiment/0/at").asString()).isEqualTo("2026-01-01T00:00:00.000Z");
    assertThat(days.propertyNames()).containsExactly("project", "sentiment");
    assertThat(
            call("analytics.query", "{'what':'keywords','project':'web'}")
                .at("/keywords/0/keyword")
                .asString())
        .isEqualTo("car");
    var items =
        call(
            "analytics.query",
            "{'what':'items','project':'web','sentiment':'negative','from':'2026-01-04','to':'2026-01-04'}");
    assertThat(items.path("items").size()).isOne();
    assertThat(items.at("/items/0/title").asString()).isEqualTo("Title b");
    assertThat(
            call("analytics.query", "{'what':'failures','project':'web'}").path("failures").size())
        .isZero();
  }

  @Test
  void takesNoQuestionButThese() {
    assertFails("analytics.query", "{'what':'SELECT 1'}", "BAD_ARGUMENTS", "what: ");
    assertFails("analytics.query", "{'what':'items'}", "BAD_ARGUMENTS", "project: ");
    assertFails("analytics.query", "{'what':'items','project':'x'}", "UNKNOWN_PROJECT", "");
    assertFails(
        "analytics.query",
        "{'what':'items','project':'web','from':'soon'}",
        "BAD_ARGUMENTS",
        "from: ");
    assertFails(
        "analytics.query",
        "{'what':'items','project':'web','after':'?'}",
        "BAD_ARGUMENTS",
        "after: ");
    assertThatThrownBy(() ->
            new AnalyticsQueryTool(null)
                .call(Json.object().put("what", "projects"), new QuietCall("job")))
        .hasMessageContaining("analytics.url");
  }
}

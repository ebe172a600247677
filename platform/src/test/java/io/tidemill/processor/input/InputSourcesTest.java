package io.tidemill.processor.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import io.tidemill.processor.record.InlineRecords;
import io.tidemill.search.PageChange;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.query.PageSearch;
import io.tidemill.search.query.SamplePageDocuments;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class InputSourcesTest {
  private static final SearchConfig CONFIG =
      new SearchConfig(
          "", Duration.ofSeconds(20), 10, 50, Duration.ZERO, 1, Duration.ofHours(1), 0.3);
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-04T01:09:27.123Z"));

  @TempDir private Path dir;
  private LuceneIndex index;
  private PageSearch search;
  private InputSources inputs;

  @BeforeEach
  void open() {
    index = new LuceneIndex(dir, CONFIG, CLOCK);
    search = new PageSearch(dir, CONFIG, CLOCK);
    inputs = new InputSources(Map.of("search", new SearchSource(search, CONFIG)));
  }

  @AfterEach
  void close() {
    search.close();
    index.close();
  }

  @Test
  void recordsMayStandInTheInput() throws Exception {
    assertThat(read("{\"records\":[{\"a\":1},2],\"validate\":{}}"))
        .containsExactly(Json.parse("{\"a\":1}"), Json.parse("2"));
    assertThat(inputs.of(Json.object())).isEqualTo(InlineRecords.NONE);
    assertThat(inputs.of(object("{\"records\":null}"))).isEqualTo(InlineRecords.NONE);
  }

  @Test
  void whatIsWrongIsNamed() {
    refused("{\"records\":{}}", "records must be a list");
    refused("{\"records\":[1,{\"a\":1e999}]}", "records[1].a is a number that is out of range");
    refused("{\"search\":7}", "search must be a text");
    refused("{\"search\":\" \"}", "search must be a text");
    refused("{\"search\":\"x\",\"limit\":0}", "limit is 0: expected 1 to 50");
    refused("{\"search\":\"x\",\"limit\":51}", "limit is 51: expected 1 to 50");
    refused("{\"search\":\"x\",\"limit\":\"5\"}", "limit must be a whole number");
    refused("{\"search\":\"x\",\"text\":1}", "text must be true or false");
    refused("{\"search\":\"x\",\"records\":[]}", "input names records and search: expected one");
    assertThatThrownBy(() -> inputs.required(object("{\"recrods\":[]}")))
        .hasMessage("the source is missing: expected one of records, search");
  }

  @Test
  void hitsAreReadPageByPageUpToTheLimit() throws Exception {
    fill(45);

    var all = read("{\"search\":\"tide\"}");
    assertThat(all).hasSize(45).doesNotHaveDuplicates();
    assertThat(read("{\"search\":\"tide\",\"limit\":23}")).isEqualTo(all.subList(0, 23));
    assertThat(read("{\"search\":\"nothing of this kind\"}")).isEmpty();
  }

  @Test
  void noSearchGoesDeeperThanItMay() throws Exception {
    fill(60);

    assertThat(read("{\"search\":\"tide\"}")).hasSize(50);
  }

  @Test
  void aHitHasPlainTexts() throws Exception {
    index.apply(
        List.of(
            new PageChange.Put(
                SamplePageDocuments.page("https://a.example/", "Tide <1>", "The tide & I"))));

    var hit = read("{\"search\":\"tide\",\"text\":true}").getFirst();

    assertThat(hit.path("url").asString()).isEqualTo("https://a.example/");
    assertThat(hit.path("title").asString()).isEqualTo("Tide <1>");
    assertThat(hit.path("snippet").asString()).isEqualTo("The tide & I");
    assertThat(hit.path("text").asString()).isEqualTo("The tide & I");
    assertThat(hit.path("fetchedAt").asString()).isEqualTo("2026-01-04T01:09:27.123Z");
    assertThat(hit.path("publishedAt").isNull()).isTrue();
  }

  private void fill(int pages) {
    var changes = new ArrayList<PageChange>();
    for (int i = 0; i < pages; i++) {
      changes.add(
          new PageChange.Put(
              SamplePageDocuments.page(
                  "https://a.example/" + i, "Page " + i, "About the tide, part " + i)));
    }
    index.apply(changes);
  }

  private void refused(String input, String message) {
    assertThatThrownBy(() -> inputs.of(object(input)))
        .isInstanceOfSatisfying(
            WorkFailure.class,
            failure -> {
              assertThat(failure.code()).isEqualTo("INVALID_INPUT");
              assertThat(failure.isRetryable()).isFalse();
            })
        .hasMessage(message);
  }

  private List<JsonNode> read(String input) throws WorkFailure, IOException {
    return read(inputs.of(object(input)));
  }

  static List<JsonNode> read(Records records) throws IOException {
    try (var reader = records.open()) {
      var all = new ArrayList<JsonNode>();
      for (var it = reader.next(); it != null; it = reader.next()) all.add(it);
      return all;
    }
  }

  static ObjectNode object(String json) {
    return (ObjectNode) Json.parse(json);
  }
}

package io.tidemill.worker.ai;

import static io.tidemill.support.FakeLlm.tokens;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemill.api.JobFailure;
import io.tidemill.embedding.Embedder;
import io.tidemill.embedding.EmbeddingConfig;
import io.tidemill.llm.LanguageModel;
import io.tidemill.search.PageChange;
import io.tidemill.search.PageDocument;
import io.tidemill.search.SearchConfig;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.passage.PassageUpdater;
import io.tidemill.search.query.PageSearch;
import io.tidemill.support.FakeLlm;
import io.tidemill.support.RecordedCall;
import io.tidemill.support.TestEmbedder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What `rag` and `embed` answer (C3.11).
class RagHandlerTest {
  private static final Instant AT = Instant.parse("2026-01-04T01:09:27Z");
  private static final SearchConfig CONFIG =
      new SearchConfig(
          "", Duration.ofSeconds(20), 100, 10_000, Duration.ZERO, 1, Duration.ofHours(24), 0.3);
  private static final RagConfig RAG = new RagConfig(0.35, 5);
  private static final String TIDES = "https://sea.example/tides";
  private static final String MILLS = "https://sea.example/mills";

  private static final String PUMPS =
      """
      ACME was founded in 1987 and employs 240 people.
      Model Flow Price
      P-100 10 l/min 199 EUR
      P-200 25 l/min 349 EUR
      All pumps have two years of warranty.
      """;

  @TempDir private static Path folder;

  private static final FakeLlm server = new FakeLlm();
  private static final LanguageModel configured = server.model();
  private static final LanguageModel none = server.model("llm.url=");

  private static PageSearch pages;

  @BeforeAll
  static void index() throws InterruptedException {
    var dir = folder.resolve("index");
    try (var index = new LuceneIndex(dir, CONFIG, InstantSource.fixed(AT))) {
      index.apply(
          List.of(
              page(
                  TIDES,
                  "Tides",
                  "Harbours are old. The sea rises twice a day because the moon attracts its water."
                      + " Some people like boats."),
              page("https://food.example/bread", "Bread", "Flour, water, salt and yeast."),
              page(
                  "https://town.example/history",
                  "History of Vienna",
                  "Vienna is the capital of Austria and has two million inhabitants. The Romans built"
                      + " a camp here. In 1529 the Ottomans besieged the city for the first time."),
              page("https://shop.example/", "Pumps", PUMPS),
              page("https://shop.example/index.html", "Pumps", PUMPS),
              page(
                  "https://town.example/",
                  "Our town",
                  "The bakery opens at seven. The library lends skis in winter. The choir sings on"
                      + " Fridays, and whoever likes may join. Dentist Eulalia Zorn has the telephone"
                      + " number 0123 456. The market is held in front of the church.")));
      try (var update = new PassageUpdater(dir, TestEmbedder.shared())) {
        while (update.round()) assertThat(update.behind()).isNotNegative();
      }
      // This one has no vectors yet.
      index.apply(
          List.of(
              page(
                  MILLS,
                  "Tide mills",
                  "A tide mill grinds grain. It shuts its gates at high water, and lets the water"
                      + " drive its wheel when the sea has fallen.")));
    }
    pages = new PageSearch(dir, CONFIG, InstantSource.fixed(AT), TestEmbedder.shared());
  }

  private static PageChange page(String url, String title, String main) {
    return new PageChange.Put(
        new PageDocument(
            url, title, "", main, "", "en", "text/html", 200, AT, null, "crawl-7", url, "message"));
  }

  @BeforeEach
  void forget() {
    server.reset();
  }

  @AfterAll
  static void stop() {
    pages.close();
    configured.close();
    none.close();
    server.close();
  }

  private static JsonNode rag(LanguageModel model, RecordedCall job) throws Exception {
    return new RagHandler(() -> pages, TestEmbedder.shared(), model, RAG).handle(job);
  }

  private static RecordedCall question(String text) {
    return new RecordedCall("{\"question\":\"" + text + "\"}");
  }

  @Test
  void answersWithSentencesOfThePagesWhenThereIsNoModel() throws Exception {
    var job = question("Why does the sea rise?");

    var result = rag(none, job);

    assertThat(result.get("answered").booleanValue()).isTrue();
    assertThat(result.get("mode").stringValue()).isEqualTo("extractive");
    assertThat(result.get("answer").stringValue())
        .contains("The sea rises twice a day because the moon attracts its water. [1]");
    var first = result.get("citations").get(0);
    assertThat(first.get("url").stringValue()).isEqualTo(TIDES);
    assertThat(first.get("title").stringValue()).isEqualTo("Tides");
    assertThat(first.get("crawl_id").stringValue()).isEqualTo("crawl-7");
    assertThat(first.get("passage").stringValue()).contains("the moon attracts its water");
    assertThat(first.get("cited").booleanValue()).isTrue();
    assertThat(first.get("similarity").doubleValue()).isBetween(0.35, 1.0);
    var streamed =
        job.said().stream().filter(said -> said.startsWith("1:")).map(said -> said.substring(2));
    assertThat(String.join("", streamed.toList())).isEqualTo(result.get("answer").stringValue());
  }

  @Test
  void readsPagesThatHaveNoVectorsYet() throws Exception {
    var result = rag(none, question("How does a tide mill drive its wheel?"));

    assertThat(result.get("answer").stringValue()).contains("drive its wheel");
    assertThat(result.get("citations").get(0).get("url").stringValue()).isEqualTo(MILLS);
  }

  @Test
  void refusesWhatNothingWasCrawledAbout() throws Exception {
    var result = rag(none, question("Who won the football match in Lisbon?"));

    assertThat(result.get("answered").booleanValue()).isFalse();
    assertThat(result.get("answer").isNull()).isTrue();
    assertThat(result.get("reason").stringValue()).contains("rag.min-similarity");
    assertThat(result.get("citations").isEmpty()).isTrue();
    assertThat(server.seen()).isEmpty();
  }

  @Test
  void refusesAQuestionOfWhichOnlyAnOrdinaryWordIsThere() throws Exception {
    var result = rag(none, question("What is the capital of Mongolia?"));

    assertThat(result.get("answered").booleanValue()).isFalse();
  }

  @Test
  void aConfiguredModelWritesTheAnswerFromThePassages() throws Exception {
    server.then(tokens("Because of ", "the moon [1]."));
    var job = question("Why does the sea rise?");

    var result = rag(configured, job);

    assertThat(result.get("mode").stringValue()).isEqualTo("model");
    assertThat(result.get("answer").stringValue()).isEqualTo("Because of the moon [1].");
    assertThat(result.get("citations").get(0).get("cited").booleanValue()).isTrue();
    assertThat(result.get("usage").get("total_tokens").intValue()).isPositive();
    var asked = server.seen().getFirst().json().path("messages");
    assertThat(asked.get(1).get("content").stringValue())
        .contains("[1] Tides", "the moon attracts its water", "Question: Why does the sea rise?");
  }

  @Test
  void searchesOnlyWithinTheConditions() throws Exception {
    var elsewhere =
        new RecordedCall("{\"question\":\"Why does the sea rise?\",\"site\":\"food.example\"}");

    assertThat(rag(none, elsewhere).get("answered").booleanValue()).isFalse();
  }

  @Test
  void saysWithWhichConditionsNothingWasFound() throws Exception {
    var nowhere =
        new RecordedCall(
            "{\"question\":\"Why does the sea rise?\",\"site\":\"nope.example\",\"lang\":\"de\"}");

    assertThat(rag(none, nowhere).get("reason").stringValue())
        .isEqualTo("no page was found with site nope.example, lang de");
  }

  @Test
  void namesCountWhenTheMeaningIsNotEnough() throws Exception {
    var result = rag(none, question("What is the telephone number of the dentist Eulalia?"));

    assertThat(result.path("answer").asString(""))
        .isEqualTo("Dentist Eulalia Zorn has the telephone number 0123 456. [1]");
  }

  @Test
  void wordsOfTheTitleCountForEverySentence() throws Exception {
    var result = rag(none, question("When was the siege of Vienna?"));

    assertThat(result.path("answer").asString("")).contains("the Ottomans besieged the city");
  }

  @Test
  void answersWithTheRowOfATable() throws Exception {
    var result = rag(none, question("How much does the P-200 pump cost?"));

    assertThat(result.path("answer").asString(""))
        .contains("P-200 25 l/min 349 EUR [1]")
        .doesNotContain("P-100");
  }

  @Test
  void citesATextOnceThatSeveralPagesHave() throws Exception {
    var result = rag(none, question("How long is the warranty of pumps?"));

    assertThat(result.get("answer").stringValue()).startsWith("All pumps have two years");
    assertThat(result.get("citations").size()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | payload.question",
        "{\"question\":7} | payload.question",
        "{\"question\":\"a\",\"passages\":0} | payload.passages must be a whole number from 1 to 50",
        "{\"question\":\"a\",\"top\":3} | payload.top is not known",
      })
  void namesTheFieldThatIsWrong(String payload, String message) {
    var failure =
        catchThrowableOfType(JobFailure.class, () -> rag(none, new RecordedCall(payload)));

    assertThat(failure.code()).isEqualTo("BAD_PAYLOAD");
    assertThat(failure).hasMessageContaining(message);
  }

  private static JsonNode embed(String payload) throws Exception {
    return new EmbedHandler(TestEmbedder.shared(), 1 << 20).handle(new RecordedCall(payload));
  }

  @Test
  void embedsOneTextOrMany() throws Exception {
    var one = embed("{\"text\":\"tide\"}");
    var many = embed("{\"texts\":[\"tide\",\"ebb and flow\",\"\"]}");

    assertThat(one.get("model").stringValue()).isEqualTo("all-minilm-l6-v2-q");
    assertThat(one.get("dimensions").intValue()).isEqualTo(384);
    assertThat(one.get("vectors").size()).isEqualTo(1);
    assertThat(one.get("vectors").get(0).size()).isEqualTo(384);
    assertThat(one.get("tokens")).hasToString("[1]");
    assertThat(one.get("chunked").isEmpty()).isTrue();
    assertThat(many.get("vectors").size()).isEqualTo(3);
    assertThat(many.get("total_tokens").intValue()).isEqualTo(5);
  }

  @Test
  void saysThatALongTextWasChunked() throws Exception {
    var result =
        embed("{\"texts\":[\"short\",\"" + "the sea rises ".repeat(120) + "\"],\"chunks\":true}");

    var chunked = result.get("chunked").get(1);
    assertThat(chunked.get("index").intValue()).isEqualTo(1);
    assertThat(chunked.get("chunks").size()).isGreaterThan(1);
    assertThat(chunked.get("chunks").get(0).get("vector").size()).isEqualTo(384);
    assertThat(result.get("tokens").get(1).intValue()).isGreaterThan(254);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | payload must have either text or texts",
        "{\"text\":\"a\",\"texts\":[\"b\"]} | payload must have either text or texts",
        "{\"texts\":[]} | payload.texts must be a list of 1 to 1000 texts",
        "{\"texts\":[\"a\",7]} | payload.texts[1] must be a text",
        "{\"text\":\"a\",\"chunks\":1} | payload.chunks must be true or false",
      })
  void namesWhatCantBeEmbedded(String payload, String message) {
    var failure = catchThrowableOfType(JobFailure.class, () -> embed(payload));

    assertThat(failure.code()).isEqualTo("BAD_PAYLOAD");
    assertThat(failure).hasMessageContaining(message);
  }

  @Test
  void takesNoMoreTextsThanTheirVectorsFitIntoAResult() {
    var payload = "{\"texts\":[" + "\"a\",".repeat(300) + "\"a\"]}";

    var failure = catchThrowableOfType(JobFailure.class, () -> embed(payload));

    assertThat(failure).hasMessageContaining("worker.max-result");
  }

  @Test
  void saysWhichSettingSwitchedTheModelOff() {
    try (var off = new Embedder(new EmbeddingConfig(false, 0, ""), folder)) {
      var failure =
          catchThrowableOfType(
              JobFailure.class,
              () -> new EmbedHandler(off, 1 << 20).handle(new RecordedCall("{\"text\":\"a\"}")));

      assertThat(failure.code()).isEqualTo("MODEL_UNAVAILABLE");
      assertThat(failure).hasMessageContaining("embedding.enabled");
    }
  }
}

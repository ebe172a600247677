package io.tidemill.worker.ai;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.llm.LanguageModel;
import io.tidemill.search.PageChange;
import io.tidemill.search.index.LuceneIndex;
import io.tidemill.search.passage.PassageUpdater;
import io.tidemill.search.query.PageSearch;
import io.tidemill.search.query.SamplePageDocuments;
import io.tidemill.support.FakeLlm;
import io.tidemill.support.RecordedCall;
import io.tidemill.support.TestEmbedder;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Questions with a word that few pages have, on pages whose vectors are far from them.
class RareWordsTest {
  private static final String KITCHEN = "https://home.example/kitchen";
  private static final String DIARY = "https://home.example/diary";
  private static final String LONG_DIARY = "https://home.example/long-diary";
  private static final String BAKING =
      "Knead the flour with yeast and salt, and let the dough rest under a cloth. ";

  @TempDir private static Path folder;

  private static final FakeLlm server = new FakeLlm();
  private static final LanguageModel none = server.model("llm.url=");

  private static PageSearch pages;

  @BeforeAll
  static void index() throws InterruptedException {
    var dir = folder.resolve("index");
    var clock = InstantSource.fixed(SamplePageDocuments.AT);
    var manuals = new ArrayList<PageChange>();
    for (int i = 0; i < 40; i++) {
      manuals.add(
          SamplePageDocuments.put(
              "https://pumps.example/" + i,
              "Error codes of the pump, chapter " + i,
              "The display of the pump shows an error code. What an error code means, and what to"
                  + " do about the error, is in chapter "
                  + i
                  + " of the manual of the pump. The crew repairs the mineral filter."));
    }
    manuals.add(
        SamplePageDocuments.put(
            KITCHEN,
            "Baking",
            BAKING.repeat(40) + "XQ-7731 stands for a stuck valve. " + BAKING.repeat(40)));
    manuals.add(
        SamplePageDocuments.put(
            DIARY, "Diary", BAKING.repeat(12) + "Grandma kept zorblaxite in a green jar."));
    try (var index = new LuceneIndex(dir, SamplePageDocuments.CONFIG, clock)) {
      index.apply(manuals);
      try (var update = new PassageUpdater(dir, TestEmbedder.shared())) {
        while (update.round()) assertThat(update.behind()).isNotNegative();
      }
      // This one has no vectors yet.
      var text = BAKING.repeat(400) + "The vremtok is behind the stove. " + BAKING.repeat(400);
      index.apply(List.of(SamplePageDocuments.put(LONG_DIARY, "Diary", text)));
    }
    pages = new PageSearch(dir, SamplePageDocuments.CONFIG, clock, TestEmbedder.shared());
  }

  @AfterAll
  static void stop() {
    pages.close();
    none.close();
    server.close();
  }

  private static JsonNode rag(String question) throws Exception {
    return new RagHandler(() -> pages, TestEmbedder.shared(), none, new RagConfig(0.35, 5))
        .handle(new RecordedCall("{\"question\":\"" + question + "\"}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          What does the error code XQ-7731 of the pump mean? | XQ-7731 stands for a stuck valve.
          What does the pump mean by error code xq 7731?     | XQ-7731 stands for a stuck valve.
          Which error code has the pump with zorblaxite?     | Grandma kept zorblaxite
          Which error of the pump needs the vremtok?         | The vremtok is behind the stove.
          """)
  void thePageThatHasTheWordIsTheAnswer(String question, String answer) throws Exception {
    var result = rag(question);

    assertThat(result.get("answer").stringValue()).contains(answer);
    var first = result.get("citations").get(0);
    assertThat(first.get("url").stringValue()).isIn(KITCHEN, DIARY, LONG_DIARY);
    assertThat(first.get("passage").stringValue()).contains(answer).hasSizeLessThan(1_300);
    assertThat(first.get("similarity").doubleValue()).isLessThan(0.35);
  }

  @Test
  void theOtherPassagesFollow() throws Exception {
    var citations = rag("What does the error code XQ-7731 of the pump mean?").get("citations");

    assertThat(citations.size()).isEqualTo(5);
    assertThat(citations.get(1).get("url").stringValue()).startsWith("https://pumps.example/");
  }

  @ParameterizedTest
  @CsvSource({"Who composed the opera Kwyjibo?", "When does the sun set in XQ-77?"})
  void aRareWordThatIsNowhereIsNotAnswered(String question) throws Exception {
    assertThat(rag(question).get("answered").booleanValue()).isFalse();
  }

  @Test
  void aWordOfManyPagesIsNotRare() throws Exception {
    var result = rag("What does an error code of the pump mean?");

    assertThat(result.get("citations").get(0).get("url").stringValue())
        .startsWith("https://pumps.example/");
  }
}

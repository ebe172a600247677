package io.tidemill.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.support.TestEmbedder;
import io.tidemill.testing.Corpora;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordPieceTokenizerTest {
  private static EmbeddingModel model;

  @BeforeAll
  static void load() throws IOException {
    model = EmbeddingModel.load(TestEmbedder.NATIVES);
  }

  @AfterAll
  static void close() {
    model.close();
  }

  // What the model's own tokenizer makes of them.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "The tide comes in.|1996 10401 3310 1999 1012",
        "Ünïcödé CAFÉ naïve|27260 7668 15743",
        "don't stop—ever…|2123 1005 1056 2644 1517 2412 1529",
        "東京は日本の首都です。|1879 1755 1672 1864 1876 1671 100 1961 1665 30184 1636",
        "Привет, мир!|1194 16856 10325 25529 15290 22919 1010 1191 10325 16856 999",
        "안녕하세요|1463 30006 30021 29992 30010 30025 30005 30006 29997 30009 29999 30013",
        "x\u0000y\u200bz\tq\u00a0r|1060 2100 2480 1053 1054",
        "https://example.org/a?b=c#d|16770 1024 1013 1013 2742 1012 8917 1013 1037 1029 1038 1027"
            + " 1039 1001 1040",
        "3.14159 e=mc²|1017 1012 15471 28154 1041 1027 11338 10701",
        "\ud83c\udf0a wave \ud83d\udc69\u200d\ud83d\udcbb|100 4400 100",
        "İstanbul ẞ ﬁ|9960 1096 1984",
        "pneumonoultramicroscopicsilicovolcanoconiosis|1052 2638 2819 17175 11314 6444 2594 7352"
            + " 26461 27572 11261 6767 15472 6761 8663 10735 2483",
        "नमस्ते दुनिया|1327 29867 29874 29859 1325 29863 29877 29868 29876",
      })
  void cutsLikeTheModelWasTaught(String text, String expected) {
    assertThat(model.tokenize(text).ids())
        .containsExactly(
            java.util.Arrays.stream(expected.split(" ", -1)).mapToInt(Integer::parseInt).toArray());
  }

  @Test
  void aWordOfMoreThanAHundredLettersIsUnknown() {
    assertThat(model.tokenize("a".repeat(100)).size()).isGreaterThan(1);
    assertThat(model.tokenize("a".repeat(101)).ids()).hasSize(1);
  }

  @Test
  void everyTokenHasItsPlace() {
    for (var text : Corpora.naughtyStrings()) assertPlaces(text);
  }

  @Test
  void takesAnyCharacters() {
    var random = new Random(11);
    for (int i = 0; i < 500; i++) {
      var text = new StringBuilder();
      for (int length = random.nextInt(60); length > 0; length--) {
        text.append((char) random.nextInt(random.nextBoolean() ? 0x250 : 0x10000));
      }
      assertPlaces(text.toString());
    }
  }

  private static void assertPlaces(String text) {
    var tokens = model.tokenize(text);
    var last = 0;
    for (int i = 0; i < tokens.size(); i++) {
      assertThat(tokens.starts()[i]).isBetween(0, text.length() - 1);
      assertThat(tokens.ends()[i]).isGreaterThanOrEqualTo(last).isLessThanOrEqualTo(text.length());
      last = tokens.ends()[i];
    }
  }
}

package io.tidemill.worker.ai;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuestionWordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "How much do pumps cost?              | This pump costs nothing  | 1",
        "How much does the P-200 pump cost?   | P-200 25 l/min 349 EUR   | 0.6",
        "How much does the P-200 pump cost?   | P-100 10 l/min 199 EUR   | 0",
        "What is the length of the Rhine?     | Rhine 1233 km            | 0.75",
        "Why is it there?                     | Why is it there?         | 0",
        "                                     | anything                 | 0",
        "Wie hoch ist die Flut?               | FLUTEN sind hoch         | 1",
      })
  void computesTheShareOfAQuestionsWordsInAText(String question, String text, double share) {
    var words = new QuestionWords(question == null ? "" : question);

    assertThat(words.shareIn(text)).isEqualTo(share);
  }
}

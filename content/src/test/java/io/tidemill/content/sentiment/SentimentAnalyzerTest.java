package io.tidemill.content.sentiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tidemill.testing.Corpora;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class SentimentAnalyzerTest {
  // The numbers that VADER gives, by hand from its rules: sum / sqrt(sum * sum + 15).
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "good | 1.9",
        "The food is good. | 1.9",
        "very good | 2.193",
        "very extremely good | 2.47135",
        "slightly good | 1.607",
        "kind of good | 1.607",
        "not good | -1.406",
        "isn't good | -1.406",
        "isn’t good | -1.406",
        "not very good | -1.62282",
        "without doubt good | 1.9",
        "least good | -1.406",
        "at least good | 1.9",
        "no good | -1.406",
        "no | -1.2",
        "GOOD | 1.9",
        "it is GOOD | 2.633",
        "IT IS GOOD | 1.9",
        "good! | 2.192",
        "good!!!!!!!! | 3.068",
        "good?? | 2.26",
        "good??????? | 2.86",
        "good but bad | -2.8",
        "the bomb | 3",
        "bus stop | 0",
        "good:) | 3.9",
        "#good | 1.9",
        "so good,so bad | -0.8637"
      })
  void followsTheRules(String text, double sum) {
    assertThat(SentimentAnalyzer.of(text))
        .isEqualTo(sum / Math.sqrt(sum * sum + 15), within(0.001));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"😍", "great😀", "so 👍🏽", "I ❤️ it", "loooove it", "sooo goood", "It’s LOVELY!"})
  void findsGoodFeelings(String text) {
    assertThat(SentimentAnalyzer.of(text)).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"😡", "awful💔", ":(", "baaaaad", "Waste of money", "never again!! hate it"})
  void findsBadFeelings(String text) {
    assertThat(SentimentAnalyzer.of(text)).isNegative();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "!!!",
        "The mill stands at the sea.",
        "https://example.com/love/hate?good=bad",
        "@lovely_person",
        "187 86",
        "\u0000\u0000",
        "\ud83d",
        "\ude00 \ud83d \ud83d\ud83d"
      })
  void isZeroWithoutFeelings(String text) {
    assertThat(SentimentAnalyzer.of(text)).isZero();
  }

  @Test
  void ownsUpToKnowingEnglishOnly() {
    assertThat(SentimentAnalyzer.knows("en")).isTrue();
    assertThat(SentimentAnalyzer.knows("vi")).isFalse();
    assertThat(SentimentAnalyzer.knows("")).isFalse();
  }

  @Test
  void doesNotGrowWithTheLengthOfAPage() {
    var page = "The food was good. We came by train. The sea was grey that day. ";

    var once = SentimentAnalyzer.of(page.repeat(3));
    var often = SentimentAnalyzer.of(page.repeat(1_000));

    assertThat(often).isEqualTo(once, within(1e-9)).isBetween(0.1, 0.5);
  }

  @Test
  void aSentenceNegatesNotTheNext() {
    assertThat(SentimentAnalyzer.of("Certainly not. Good!")).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a", " ", "!", "?", "\u0000", "\ud83d", "😀", "\n", ". ", "a'", ":", "no "})
  void copesWithMegabytesOfTheSame(String part) {
    assertThat(SentimentAnalyzer.of(part.repeat(5_000_000 / part.length()))).isBetween(-1.0, 1.0);
  }

  @Test
  void copesWithAnyText() {
    var random = new Random(7);
    var parts =
        List.of("good", "BAD", "not", "but", "no", "never", "so", "least", "at", "very", "kind");
    var signs = " .!?'’-#@:)(\n\u0000\ud83d\ude00❤é漢";
    for (var run = 0; run < 3_000; run++) {
      var text = new StringBuilder();
      for (var i = random.nextInt(60); i >= 0; i--) {
        if (random.nextBoolean()) text.append(parts.get(random.nextInt(parts.size())));
        if (random.nextBoolean()) text.append(signs.charAt(random.nextInt(signs.length())));
        if (random.nextInt(20) == 0) text.append((char) random.nextInt(0x10000));
      }
      assertThat(SentimentAnalyzer.of(text.toString())).isBetween(-1.0, 1.0);
    }
  }

  @Test
  void feelsWhatTwentyPeopleFelt() {
    var pairs = new TreeMap<String, List<double[]>>();
    for (var row : Corpora.lines("language-text/vader-gold-human-ratings.jsonl.gz")) {
      var pair =
          new double[] {
            SentimentAnalyzer.of(row.get("text").stringValue()), row.get("mean").doubleValue()
          };
      pairs.computeIfAbsent(row.get("set").stringValue(), _ -> new ArrayList<>()).add(pair);
      pairs.computeIfAbsent("all", _ -> new ArrayList<>()).add(pair);
    }
    pairs.forEach((set, list) ->
        LoggerFactory.getLogger(SentimentAnalyzerTest.class)
            .warn("sentiment r = {}: {}, {} texts", correlation(list), set, list.size()));

    assertThat(correlation(pairs.getOrDefault("tweets", List.of()))).isGreaterThan(0.87);
    assertThat(correlation(pairs.getOrDefault("all", List.of()))).isGreaterThan(0.53);
  }

  private static double correlation(List<double[]> pairs) {
    var ours = pairs.stream().mapToDouble(pair -> pair[0]).average().orElseThrow();
    var theirs = pairs.stream().mapToDouble(pair -> pair[1]).average().orElseThrow();
    double both = 0;
    double squares = 0;
    double theirSquares = 0;
    for (var pair : pairs) {
      both += (pair[0] - ours) * (pair[1] - theirs);
      squares += (pair[0] - ours) * (pair[0] - ours);
      theirSquares += (pair[1] - theirs) * (pair[1] - theirs);
    }
    return both / Math.sqrt(squares * theirSquares);
  }
}

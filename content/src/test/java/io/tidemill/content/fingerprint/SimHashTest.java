package io.tidemill.content.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SimHashTest {
  private static final String TEXT = words(new Random(1), 600);

  @Test
  void theSameWordsGiveTheSameHash() {
    assertThat(SimHash.of(TEXT.replace(" ", ",\n ").toUpperCase(Locale.ROOT)))
        .isEqualTo(SimHash.of(TEXT));
    assertThat(SimHash.of(" ... ")).isZero();
  }

  @Test
  void nearlyTheSameTextIsNear() {
    var edited = TEXT.replaceFirst("w\\d+", "another") + " at the end";

    assertThat(SimHash.distance(SimHash.of(TEXT), SimHash.of(edited))).isLessThanOrEqualTo(6);
  }

  @Test
  void anotherTextIsFar() {
    for (int seed = 2; seed < 50; seed++) {
      var other = SimHash.of(words(new Random(seed), 600));
      assertThat(SimHash.distance(SimHash.of(TEXT), other)).isGreaterThan(14);
    }
  }

  @Test
  void wordsInAnotherOrderAreAnotherText() {
    var words = TEXT.split(" ", -1);
    Arrays.sort(words);

    assertThat(SimHash.distance(SimHash.of(TEXT), SimHash.of(String.join(" ", words))))
        .isGreaterThan(10);
  }

  @Test
  void readsScriptsWithoutSpaces() {
    var text = "東京は日本の首都であり世界最大の都市圏を有する。".repeat(3) + "𠮷野家で牛丼を食べた。";

    var near = SimHash.distance(SimHash.of(text), SimHash.of(text + "終"));
    var far = SimHash.distance(SimHash.of(text), SimHash.of("吾輩は猫である。名前はまだ無い。どこで生れたか。"));

    assertThat(near).isLessThan(10);
    assertThat(far).isGreaterThan(14);
  }

  private static String words(Random random, int count) {
    return IntStream.range(0, count)
        .mapToObj(_ -> "w" + random.nextInt(5_000))
        .collect(Collectors.joining(" "));
  }
}

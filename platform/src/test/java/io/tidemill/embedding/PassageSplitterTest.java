package io.tidemill.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PassageSplitterTest {
  @Test
  void aShortTextIsOnePassage() {
    assertThat(new PassageSplitter(10, 3).of(words("one two three")))
        .containsExactly(new PassageSplitter.Range(0, 3));
    assertThat(new PassageSplitter(10, 3).of(words("")))
        .containsExactly(new PassageSplitter.Range(0, 0));
  }

  @Test
  void endsWhereASentenceDoes() {
    var text = words("a b c d e f. g h i j k l m n o p");

    var ranges = new PassageSplitter(8, 2).of(text);

    assertThat(ranges.getFirst()).isEqualTo(new PassageSplitter.Range(0, 6));
  }

  @Test
  void leavesNothingOutAndOverlaps() {
    var random = new Random(5);
    for (int run = 0; run < 300; run++) {
      var text = words(sentence(random, random.nextInt(400)));
      var size = 4 + random.nextInt(60);
      var ranges = new PassageSplitter(size, random.nextInt(size / 2)).of(text);
      assertWhole(ranges, text.size(), size);
    }
  }

  private static void assertWhole(List<PassageSplitter.Range> ranges, int pieces, int size) {
    var reached = 0;
    for (var range : ranges) {
      assertThat(range.to() - range.from()).isLessThanOrEqualTo(size);
      assertThat(range.from()).isLessThanOrEqualTo(reached);
      assertThat(range.to()).isGreaterThanOrEqualTo(reached);
      reached = range.to();
    }
    assertThat(reached).isEqualTo(pieces);
  }

  private static String sentence(Random random, int words) {
    var text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append("w").append(random.nextInt(10) == 0 ? ". " : random.nextInt(9) == 0 ? "" : " ");
    }
    return text.toString();
  }

  // One piece a word, its full stop included.
  private static TokenizedText words(String text) {
    var starts = new ArrayList<Integer>();
    var ends = new ArrayList<Integer>();
    for (int at = 0; at < text.length(); ) {
      var end = text.indexOf(' ', at);
      if (end < 0) end = text.length();
      if (end > at) {
        starts.add(at);
        ends.add(end);
      }
      at = end + 1;
    }
    return new TokenizedText(text, new int[starts.size()], ints(starts), ints(ends));
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }
}

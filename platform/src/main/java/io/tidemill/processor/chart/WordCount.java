package io.tidemill.processor.chart;

import io.tidemill.content.text.ResourceText;
import java.text.BreakIterator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The number of texts that contain each word, common words excepted.
public final class WordCount {
  private static final int SHORTEST = 4;
  private static final int LONGEST_TEXT = 20_000;
  private static final Set<String> COMMON =
      Set.of(ResourceText.of(WordCount.class, "common-words.txt").strip().split("\\s+"));

  private final ValueTally tally = new ValueTally();

  public void add(String text) {
    var read = text.substring(0, Math.min(text.length(), LONGEST_TEXT));
    var words = BreakIterator.getWordInstance(Locale.ROOT);
    words.setText(read);
    var seen = new HashSet<String>();
    var start = words.first();
    for (var end = words.next(); end != BreakIterator.DONE; start = end, end = words.next()) {
      if (end - start < SHORTEST || end - start > 40) continue;
      var word = read.substring(start, end).toLowerCase(Locale.ROOT);
      if (word.codePoints().allMatch(Character::isLetter) && !COMMON.contains(word)) seen.add(word);
    }
    seen.forEach(tally::add);
  }

  public List<ChartPoint> top(int most) {
    return tally.top(most).stream().filter(point -> point.value() > 1).toList();
  }
}

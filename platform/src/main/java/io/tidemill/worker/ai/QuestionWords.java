package io.tidemill.worker.ai;

import io.tidemill.content.language.StopWords;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// The words of a question that its answer probably contains.
///
/// Vectors capture the subject of a text, but hardly distinguish names and numbers.
final class QuestionWords {
  private static final Pattern WORD =
      Pattern.compile("[\\p{L}\\p{M}\\p{N}]+(?:[-'’._][\\p{L}\\p{M}\\p{N}]+)*");

  /// Names and numbers count more than other words.
  private static final int NAME = 3;

  /// Words of questions only.
  private static final Set<String> ASKING =
      Set.of("much", "many", "please", "tell", "viel", "viele");

  /// Words of at least this length match other endings.
  private static final int STEM = 4;

  private static final int ENDING = 3;

  private final Map<String, Integer> weights = new LinkedHashMap<>();
  private final int all;

  QuestionWords(String question) {
    var words = WORD.matcher(question);
    while (words.find()) {
      var word = words.group().toLowerCase(Locale.ROOT);
      if (StopWords.contains(word) || ASKING.contains(word)) continue;
      var isName = words.start() > 0 && Character.isUpperCase(words.group().codePointAt(0));
      var isNumber = word.codePoints().anyMatch(Character::isDigit);
      weights.put(word, isName || isNumber ? NAME : 1);
    }
    all = weights.values().stream().mapToInt(weight -> weight).sum();
  }

  /// The words, in lower case.
  Set<String> distinct() {
    return weights.keySet();
  }

  /// The weighted share of the question's words in a text: 0 = none, 1 = all.
  double shareIn(String text) {
    if (all == 0) return 0;
    var there = words(text);
    var found = 0;
    for (var word : weights.entrySet()) {
      if (there.stream().anyMatch(other -> matches(word.getKey(), other))) found += word.getValue();
    }
    return (double) found / all;
  }

  private static Set<String> words(String text) {
    var found = new HashSet<String>();
    var words = WORD.matcher(text.toLowerCase(Locale.ROOT));
    while (words.find()) found.add(words.group());
    return found;
  }

  private static boolean matches(String one, String other) {
    if (one.equals(other)) return true;
    var shorter = one.length() < other.length() ? one : other;
    var longer = shorter.equals(one) ? other : one;
    return shorter.length() >= STEM
        && longer.length() - shorter.length() <= ENDING
        && longer.startsWith(shorter);
  }
}

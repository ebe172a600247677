package io.tidemill.processor.profile;

import io.tidemill.content.language.StopWords;
import java.util.Locale;
import java.util.function.Consumer;

/// The words of a text.
final class TextWords {
  private static final int SHORTEST = 3;
  private static final int LONGEST = 40;

  private TextWords() {}

  /// Gives every word that may be a keyword, in lower case.
  ///
  /// @return how many words there are in all
  static long read(String text, Consumer<String> keywords) {
    var count = 0L;
    var start = -1;
    for (var i = 0; i <= text.length(); i++) {
      var isPart = i < text.length() && isPart(text, i);
      if (isPart && start < 0) start = i;
      if (isPart || start < 0) continue;
      count++;
      if (i - start <= LONGEST) candidate(text.substring(start, i), keywords);
      start = -1;
    }
    return count;
  }

  private static boolean isPart(String text, int i) {
    var c = text.charAt(i);
    if (Character.isLetterOrDigit(c) || Character.isSurrogate(c)) return true;
    if (Character.getType(c) == Character.NON_SPACING_MARK) return true;
    // It's, well-known: within a word.
    return (c == '\'' || c == '’' || c == '-')
        && i > 0
        && i + 1 < text.length()
        && Character.isLetter(text.charAt(i - 1))
        && Character.isLetter(text.charAt(i + 1));
  }

  private static void candidate(String word, Consumer<String> keywords) {
    var lower = word.toLowerCase(Locale.ROOT);
    if (lower.length() < SHORTEST && !isIdeographic(lower)) return;
    if (StopWords.contains(lower) || !Character.isLetter(lower.codePointAt(0))) return;
    keywords.accept(lower);
  }

  private static boolean isIdeographic(String word) {
    return word.length() > 1 && Character.isIdeographic(word.codePointAt(0));
  }
}

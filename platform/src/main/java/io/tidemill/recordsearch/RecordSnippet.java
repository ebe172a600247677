package io.tidemill.recordsearch;

import java.util.List;
import java.util.Locale;

/// The part of a text around the first match, on one line.
final class RecordSnippet {
  private static final int LENGTH = 240;
  private static final int BEFORE = 60;

  private RecordSnippet() {}

  static String of(String text, List<String> words) {
    var at = first(text.toLowerCase(Locale.ROOT), words);
    var begin = at <= BEFORE ? 0 : boundary(text, at - BEFORE);
    var end = text.length() - begin <= LENGTH ? text.length() : boundary(text, begin + LENGTH);
    var part = oneLine(text.substring(begin, end));
    return (begin > 0 ? "… " : "") + part + (end < text.length() ? " …" : "");
  }

  // The position of the first matching word; 0 when there is none.
  private static int first(String text, List<String> words) {
    var first = -1;
    for (var word : words) {
      var at = text.indexOf(word);
      while (at > 0 && Character.isLetterOrDigit(text.charAt(at - 1))) {
        at = text.indexOf(word, at + 1);
      }
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return Math.max(0, first);
  }

  private static int boundary(String text, int at) {
    // The lower case of a text may be longer.
    var inside = Math.min(at, text.length());
    var splits =
        inside > 0 && inside < text.length() && Character.isLowSurrogate(text.charAt(inside));
    return splits ? inside - 1 : inside;
  }

  private static String oneLine(String text) {
    var line = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      var isSpace = Character.isWhitespace(c) || Character.isISOControl(c);
      if (!isSpace) line.append(c);
      else if (!line.isEmpty() && line.charAt(line.length() - 1) != ' ') line.append(' ');
    }
    return line.toString().strip();
  }
}

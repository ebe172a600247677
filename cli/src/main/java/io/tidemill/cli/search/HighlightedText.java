package io.tidemill.cli.search;

import io.tidemill.cli.terminal.Terminal;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What the search answers as HTML, as a terminal shows it: plain text, in which only the matches
/// stand out.
///
/// The text comes from foreign pages, so control characters are removed (F54).
final class HighlightedText {
  private static final Pattern MARK = Pattern.compile("<(/?)em>");
  private static final Pattern ENTITY =
      Pattern.compile("&(?:#([0-9]{1,9})|#[xX]([0-9a-fA-F]{1,8})|(lt|gt|amp|quot|apos|nbsp));");
  private static final int UNKNOWN = 0xFFFD;

  private HighlightedText() {}

  /// @param html escaped text with `<em>` around what matches
  /// @param match how a match is shown
  static String text(String html, UnaryOperator<String> match) {
    var text = new StringBuilder();
    var marks = MARK.matcher(html);
    var inside = false;
    var at = 0;
    while (marks.find()) {
      append(text, html.substring(at, marks.start()), inside, match);
      inside = marks.group(1).isEmpty();
      at = marks.end();
    }
    append(text, html.substring(at), inside, match);
    return text.toString().strip();
  }

  private static void append(
      StringBuilder text, String html, boolean inside, UnaryOperator<String> match) {
    // Cleaned behind the entities: &#27; is an escape as well.
    var plain = Terminal.clean(unescape(html)).replaceAll("\\s+", " ");
    if (!plain.isEmpty()) text.append(inside ? match.apply(plain) : plain);
  }

  // Once over it: &amp;lt; means the text "&lt;".
  private static String unescape(String html) {
    return ENTITY.matcher(html).replaceAll(it -> Matcher.quoteReplacement(character(it)));
  }

  private static String character(MatchResult entity) {
    if (entity.group(1) != null) return character(Long.parseLong(entity.group(1)));
    if (entity.group(2) != null) return character(Long.parseLong(entity.group(2), 16));
    return switch (entity.group(3)) {
      case "lt" -> "<";
      case "gt" -> ">";
      case "amp" -> "&";
      case "quot" -> "\"";
      case "apos" -> "'";
      default -> " ";
    };
  }

  private static String character(long number) {
    var isCharacter =
        number > 0
            && number <= Character.MAX_CODE_POINT
            && !(number >= Character.MIN_SURROGATE && number <= Character.MAX_SURROGATE);
    return Character.toString(isCharacter ? (int) number : UNKNOWN);
  }
}

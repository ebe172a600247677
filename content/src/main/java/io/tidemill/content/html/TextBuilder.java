package io.tidemill.content.html;

import io.tidemill.contract.page.PageText;
import java.util.ArrayList;
import java.util.List;

/// Puts text together as people read it: white space collapsed, one line a paragraph, and notes
/// which parts belong to what the page is about.
final class TextBuilder {
  private final StringBuilder text = new StringBuilder(4096);
  private final int limit;
  private final List<PageText.Span> spans = new ArrayList<>();
  private boolean space;
  private boolean line;
  private boolean anyElse;
  private int spanStart = -1;
  private int lineStart;
  private int longestStart;
  private int longestLength;

  TextBuilder(int limit) {
    this.limit = limit;
  }

  void append(String part, boolean main) {
    var at = 0;
    while (at < part.length()) {
      var end = plainEnd(part, at);
      if (end > at) add(part, at, end, main);
      if (end < part.length() && isBlank(part.charAt(end))) space = true;
      at = end + 1;
    }
  }

  // The end of a run that can be taken as it is: no blanks but single spaces within.
  private static int plainEnd(String part, int from) {
    for (var at = from; at < part.length(); at++) {
      var c = part.charAt(at);
      if (c > ' ' && c < 0x7F) continue;
      if (c == ' ' && at > from && isPlain(part, at + 1)) continue;
      if (isBlank(c) || isInvisible(c)) return at;
    }
    return part.length();
  }

  private static boolean isPlain(String part, int at) {
    return at < part.length() && part.charAt(at) > ' ' && part.charAt(at) < 0x7F;
  }

  private void add(String part, int from, int to, boolean main) {
    var apart = (line || space) && !text.isEmpty() ? 1 : 0;
    if (text.length() + apart >= limit) return;
    if (line || space) separate(main);
    var room = limit - text.length();
    if (main && spanStart < 0) spanStart = text.length();
    if (!main && spanStart >= 0) closeSpan();
    anyElse |= !main;
    text.append(part, from, Math.min(to, from + room));
  }

  private void separate(boolean main) {
    if (!main && spanStart >= 0) closeSpan();
    if (!text.isEmpty()) text.append(line ? '\n' : ' ');
    if (line) startLine();
    line = false;
    space = false;
  }

  private void startLine() {
    var length = text.length() - lineStart;
    if (length > longestLength) {
      longestLength = length;
      longestStart = lineStart;
    }
    lineStart = text.length();
  }

  private void closeSpan() {
    spans.add(new PageText.Span(spanStart, text.length()));
    spanStart = -1;
  }

  /// What follows starts a new line.
  void breakLine() {
    line = true;
  }

  /// What follows is apart by a space at least.
  void breakWord() {
    space = true;
  }

  int length() {
    return text.length();
  }

  /// The text from a position on, up to a number of characters.
  String since(int start, int most) {
    var from = Math.min(start, text.length());
    while (from < text.length() && text.charAt(from) <= ' ') from++;
    var end = Math.min(text.length(), from + most);
    if (end < text.length() && end > from && Character.isHighSurrogate(text.charAt(end - 1))) end--;
    return text.substring(from, end);
  }

  /// The text; without spans when all of it is main.
  PageText build() {
    if (spanStart >= 0) closeSpan();
    // The limit may have cut a pair in two.
    var end = text.length();
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) && end >= limit) {
      text.setLength(--end);
    }
    if (!anyElse) return new PageText(text.toString(), List.of());
    var last = end;
    return new PageText(
        text.toString(), spans.stream().filter(span -> span.end() <= last).toList());
  }

  /// A good piece of it: the beginning of its main part, or of its longest paragraph.
  String sample(int most) {
    startLine();
    var first = anyElse && !spans.isEmpty() ? spans.getFirst().start() : longestStart;
    return since(first, most);
  }

  static boolean isBlank(char c) {
    return c <= ' '
        || (c >= 0x7F && c <= 0xA0)
        || (c >= 0x2000 && c <= 0x200A)
        || c == 0x2028
        || c == 0x2029
        || c == 0x202F
        || c == 0x205F
        || c == 0x3000;
  }

  // Hints where a word may be broken; they would keep it from being found.
  private static boolean isInvisible(char c) {
    return c == 0xAD || c == 0x200B || c == 0x2060 || c == 0xFEFF;
  }

  /// One line: white space collapsed, shortened to a number of characters.
  static String line(String text, int most) {
    var builder = new TextBuilder(most);
    builder.append(text, true);
    return builder.since(0, most);
  }
}

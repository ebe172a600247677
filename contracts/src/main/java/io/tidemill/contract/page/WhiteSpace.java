package io.tidemill.contract.page;

import io.tidemill.contract.page.PageText.Span;
import java.util.ArrayList;
import java.util.List;

/// Collapses white space, and moves the parts of a text along.
final class WhiteSpace {
  private final List<Span> spans;
  private final List<Span> moved = new ArrayList<>();
  private final StringBuilder out;
  private int span;
  private int start = -1;

  private WhiteSpace(List<Span> spans, int length) {
    this.spans = spans;
    out = new StringBuilder(length);
  }

  static PageText collapse(PageText text) {
    if (isCollapsed(text)) return text;
    var collapse = new WhiteSpace(text.main(), text.readable().length());
    collapse.walk(text.readable());
    return new PageText(collapse.out.toString(), collapse.moved);
  }

  // Our own crawler's texts are: then there is nothing to copy.
  private static boolean isCollapsed(PageText text) {
    var readable = text.readable();
    var gap = true;
    for (int i = 0; i < readable.length(); i++) {
      var c = readable.charAt(i);
      if (c > ' ' && c < 0x80) {
        gap = false;
      } else if (!isWhite(c)) {
        gap = false;
      } else {
        if (gap || (c != ' ' && c != '\n')) return false;
        gap = true;
      }
    }
    if (gap && !readable.isEmpty()) return false;
    for (var span : text.main()) if (!isTight(readable, span)) return false;
    return true;
  }

  private static boolean isTight(String text, Span span) {
    return span.start() < span.end()
        && span.end() <= text.length()
        && !isWhite(text.charAt(span.start()))
        && !isWhite(text.charAt(span.end() - 1));
  }

  private void walk(String text) {
    var gap = false;
    var lineBreak = false;
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (isWhite(c)) {
        gap = true;
        lineBreak |= isLineBreak(c);
        continue;
      }
      leaveSpansBefore(i);
      if (gap && !out.isEmpty()) out.append(lineBreak ? '\n' : ' ');
      gap = false;
      lineBreak = false;
      enterSpanAt(i);
      out.append(c);
    }
    leaveSpansBefore(Integer.MAX_VALUE);
  }

  private void leaveSpansBefore(int at) {
    while (span < spans.size() && spans.get(span).end() <= at) {
      if (start >= 0) moved.add(new Span(start, out.length()));
      start = -1;
      span++;
    }
  }

  private void enterSpanAt(int at) {
    if (start < 0 && span < spans.size() && spans.get(span).start() <= at) start = out.length();
  }

  private static boolean isWhite(char c) {
    if (c < 0x80) return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1C && c <= 0x1F);
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '\u0085';
  }

  private static boolean isLineBreak(char c) {
    return c == '\n' || c == '\r' || c == '\u0085' || c == '\u2028' || c == '\u2029';
  }
}

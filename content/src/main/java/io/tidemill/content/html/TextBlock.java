package io.tidemill.content.html;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/// A paragraph as a reader sees it: the text nodes between two line breaks, counted.
final class TextBlock {
  final TextPart part;
  final List<TextNode> nodes = new ArrayList<>(4);
  private @Nullable BitSet breaks;
  private int chars;
  private int linked;
  private boolean punctuated;
  private boolean closed;

  TextBlock(TextPart part) {
    this.part = part;
  }

  void add(TextNode node, boolean inLink) {
    nodes.add(node);
    var before = chars;
    count(node.getWholeText());
    if (inLink) linked += chars - before;
  }

  /// Remembers that the text goes on in the next line.
  void breakLine() {
    if (breaks == null) breaks = new BitSet();
    breaks.set(nodes.size());
  }

  TagKind kind() {
    return part.kind;
  }

  int chars() {
    return chars;
  }

  /// What isn't link.
  int plain() {
    return chars - linked;
  }

  double linkDensity() {
    return chars == 0 ? 0 : (double) linked / chars;
  }

  /// Whether it has the marks of a sentence.
  boolean isPunctuated() {
    return punctuated;
  }

  boolean endsSentence() {
    return closed;
  }

  void appendTo(StringBuilder text) {
    var start = text.length();
    for (var i = 0; i < nodes.size(); i++) {
      if (breaks != null && breaks.get(i)) appendSpace(text, start);
      append(nodes.get(i).getWholeText(), text, start);
    }
    if (text.length() > start && text.charAt(text.length() - 1) == ' ') {
      text.setLength(text.length() - 1);
    }
  }

  private static void append(String more, StringBuilder text, int start) {
    for (var i = 0; i < more.length(); i++) {
      var c = more.charAt(i);
      if (isSpace(c)) appendSpace(text, start);
      else text.append(c);
    }
  }

  private static void appendSpace(StringBuilder text, int start) {
    if (text.length() > start && text.charAt(text.length() - 1) != ' ') text.append(' ');
  }

  private void count(String text) {
    for (var i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (isSpace(c)) continue;
      chars += isSyllable(c) ? 3 : 1;
      if (!Character.isLetterOrDigit(c)) mark(c);
      else closed = false;
    }
  }

  private void mark(char c) {
    switch (c) {
      case '.', '!', '?', ':', '…', '。', '！', '？', '：', '؟', '।' -> {
        punctuated = true;
        closed = true;
      }
      case ',', ';', '、', '，', '；', '،' -> {
        punctuated = true;
        closed = false;
      }
      // what may follow the full stop
      case '"', '\'', ')', '”', '’', '»', '」', '』', '）' -> {}
      default -> closed = false;
    }
  }

  private static boolean isSpace(char c) {
    return c <= ' ' || c == '\u00a0' || c == '\u3000';
  }

  /// A character that is a syllable or a word says as much as several letters.
  private static boolean isSyllable(char c) {
    return (c >= 0x2e80 && c <= 0xd7ff) || (c >= 0xf900 && c <= 0xfaff);
  }
}

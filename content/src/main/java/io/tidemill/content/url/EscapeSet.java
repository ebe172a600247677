package io.tidemill.content.url;

/// A set of characters that a part of a URL holds only as percent escapes of their UTF-8 bytes.
final class EscapeSet {
  static final EscapeSet FRAGMENT = new EscapeSet(" \"<>`");
  static final EscapeSet QUERY = new EscapeSet(" \"#<>'");
  static final EscapeSet PATH = new EscapeSet(" \"#<>?^`{}");

  private static final String HEX = "0123456789ABCDEF";
  private static final int REPLACEMENT = 0xFFFD;

  private final boolean[] escaped = new boolean[0x7F];

  private EscapeSet(String characters) {
    for (int c = 0; c < 0x20; c++) escaped[c] = true;
    for (char c : characters.toCharArray()) escaped[c] = true;
  }

  boolean holds(char c) {
    return c >= 0x7F || escaped[c];
  }

  String escape(String in, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!holds(in.charAt(i))) continue;
      var out = new StringBuilder(to - from + 32);
      append(out, in, from, to);
      return out.toString();
    }
    return in.substring(from, to);
  }

  void append(StringBuilder out, String in, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = in.charAt(i);
      if (!holds(c)) out.append(c);
      else if (c < 0x80) appendByte(out, c);
      else if (Character.isHighSurrogate(c) && i + 1 < to)
        i += appendPair(out, c, in.charAt(i + 1));
      else appendUtf8(out, Character.isSurrogate(c) ? REPLACEMENT : c);
    }
  }

  /// How many characters beyond the first were used.
  private static int appendPair(StringBuilder out, char high, char low) {
    boolean pair = Character.isLowSurrogate(low);
    appendUtf8(out, pair ? Character.toCodePoint(high, low) : REPLACEMENT);
    return pair ? 1 : 0;
  }

  private static void appendUtf8(StringBuilder out, int point) {
    if (point < 0x800) {
      appendByte(out, 0xC0 | (point >> 6));
    } else if (point < 0x10000) {
      appendByte(out, 0xE0 | (point >> 12));
      appendByte(out, 0x80 | ((point >> 6) & 0x3F));
    } else {
      appendByte(out, 0xF0 | (point >> 18));
      appendByte(out, 0x80 | ((point >> 12) & 0x3F));
      appendByte(out, 0x80 | ((point >> 6) & 0x3F));
    }
    appendByte(out, 0x80 | (point & 0x3F));
  }

  static void appendByte(StringBuilder out, int value) {
    out.append('%').append(HEX.charAt(value >> 4)).append(HEX.charAt(value & 15));
  }
}

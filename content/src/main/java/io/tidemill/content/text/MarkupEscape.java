package io.tidemill.content.text;

/// Text made safe for HTML and XML alike.
public final class MarkupEscape {
  private MarkupEscape() {}

  /// Safe as text and between quotes; what XML can't hold is left out.
  public static String escaped(String text) {
    var out = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(c -> append(out, c));
    return out.toString();
  }

  private static void append(StringBuilder out, int c) {
    switch (c) {
      case '&' -> out.append("&amp;");
      case '<' -> out.append("&lt;");
      case '>' -> out.append("&gt;");
      case '"' -> out.append("&quot;");
      case '\'' -> out.append("&#39;");
      default -> {
        if (isText(c)) out.appendCodePoint(c);
      }
    }
  }

  private static boolean isText(int c) {
    if (c < 0x20) return c == '\n' || c == '\t';
    var isControl = c >= 0x7f && c < 0xa0;
    var isHalf = c >= 0xd800 && c <= 0xdfff;
    // Marks that turn the text behind them around would turn our own words around too.
    var isTurning = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return !isControl && !isHalf && !isTurning && (c & 0xfffe) != 0xfffe;
  }
}

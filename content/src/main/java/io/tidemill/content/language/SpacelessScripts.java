package io.tidemill.content.language;

import java.text.BreakIterator;
import java.util.Locale;

/// Scripts that put no spaces between words.
public final class SpacelessScripts {
  /// No script below this character does without spaces.
  public static final char FIRST = 0x0E00;

  private static final Locale THAI = Locale.of("th");

  private SpacelessScripts() {}

  public static boolean isHan(char c) {
    return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || c == '々';
  }

  /// Endings and particles of Japanese: where words end.
  public static boolean isHiragana(char c) {
    return c >= 0x3040 && c <= 0x309F;
  }

  public static boolean isKatakana(char c) {
    return c >= 0x30A0 && c <= 0x30FF && c != '・';
  }

  public static boolean isThai(char c) {
    return c >= FIRST && c <= 0x0E7F;
  }

  /// Where the Thai words of a text begin and end.
  public static BreakIterator thaiWords(String text) {
    var words = BreakIterator.getWordInstance(THAI);
    words.setText(text);
    return words;
  }
}

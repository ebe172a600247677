package io.tidemill.fetch;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// What may stand on a line of HTTP.
final class HeaderText {
  private HeaderText() {}

  /// Whether a header field can carry it and keep to its line.
  static boolean isVisible(String value) {
    for (int i = 0; i < value.length(); i++) {
      var c = value.charAt(i);
      if (c < 0x20 || c == 0x7f || c > 0xff) return false;
    }
    return true;
  }

  /// Whether it can stand in a request line as one word.
  static boolean isWord(String value) {
    for (int i = 0; i < value.length(); i++) {
      var c = value.charAt(i);
      if (c <= 0x20 || c >= 0x7f) return false;
    }
    return !value.isEmpty();
  }

  /// Header fields arrive as Latin-1, but hosts write UTF-8 into them.
  static String utf8(String latin1) {
    if (latin1.chars().allMatch(c -> c < 0x80)) return latin1;
    try {
      var bytes = ByteBuffer.wrap(latin1.getBytes(StandardCharsets.ISO_8859_1));
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException _) {
      return latin1;
    }
  }
}

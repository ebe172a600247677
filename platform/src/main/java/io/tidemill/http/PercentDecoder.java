package io.tidemill.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Strict percent-decoding: whole escapes, valid UTF-8, no NUL.
public final class PercentDecoder {
  private PercentDecoder() {}

  /// Throws [IllegalArgumentException] on anything else.
  public static String decode(String text, boolean plusIsSpace) {
    var source = text.getBytes(StandardCharsets.UTF_8);
    var bytes = ByteBuffer.allocate(source.length);
    for (int i = 0; i < source.length; i++) {
      var b = source[i];
      if (b == '%') {
        bytes.put((byte) (digit(source, i + 1) << 4 | digit(source, i + 2)));
        i += 2;
      } else {
        bytes.put(b == '+' && plusIsSpace ? (byte) ' ' : b);
      }
    }
    return utf8(bytes.flip());
  }

  private static int digit(byte[] source, int at) {
    var value = at < source.length ? Character.digit(source[at], 16) : -1;
    if (value < 0) throw new IllegalArgumentException("a percent sign without two hex digits");
    return value;
  }

  private static String utf8(ByteBuffer bytes) {
    try {
      var decoded = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      if (decoded.indexOf('\0') >= 0) throw new IllegalArgumentException("a NUL character");
      return decoded;
    } catch (CharacterCodingException _) {
      throw new IllegalArgumentException("escapes that are not UTF-8");
    }
  }
}

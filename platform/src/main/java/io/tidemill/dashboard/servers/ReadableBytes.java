package io.tidemill.dashboard.servers;

import io.tidemill.deadletter.ByteText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Encodes bytes as JSON: as text where they are UTF-8, else as `…_base64`; at most 64 KiB.
final class ReadableBytes {
  /// The longest value; a longer one is cut.
  static final int LARGEST = 64 * 1024;

  private static final int LARGEST_HEADER = 4 * 1024;
  private static final int LONGEST_CHARACTER = 4;

  private ReadableBytes() {}

  /// A message's value and its size; `cut` marks one that was cut.
  static void value(ObjectNode out, byte @Nullable [] bytes) {
    out.put("size", bytes == null ? 0 : bytes.length);
    put(out, "value", bytes, LARGEST);
  }

  static void key(ObjectNode out, byte @Nullable [] bytes) {
    put(out, "key", bytes, LARGEST_HEADER);
  }

  /// The value of a header, of any type.
  static void header(ObjectNode out, @Nullable Object value) {
    switch (value) {
      case byte[] bytes -> put(out, "value", bytes, LARGEST_HEADER);
      case String text -> put(out, "value", text.getBytes(StandardCharsets.UTF_8), LARGEST_HEADER);
      case null, default -> ByteText.putAny(out, "value", value);
    }
  }

  /// @param largest a longer one is cut, a text between two characters
  static void put(ObjectNode out, String name, byte @Nullable [] bytes, int largest) {
    if (bytes == null || bytes.length <= largest) {
      ByteText.put(out, name, bytes);
      return;
    }
    var end = largest;
    while ((bytes[end] & 0xc0) == 0x80 && end > largest - LONGEST_CHARACTER) end--;
    ByteText.put(out, name, Arrays.copyOf(bytes, end));
    if (!out.has(name)) ByteText.put(out, name, Arrays.copyOf(bytes, largest)); // not a text
    out.put("cut", true);
  }
}

package io.tidemill.dashboard.servers;

import io.tidemill.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Bytes as people see them: as text where they are one, else as `…_base64`; at most 64 KiB.
final class ReadableBytes {
  /// More than this of a value is not shown.
  static final int LARGEST = 64 * 1024;

  private static final int LARGEST_HEADER = 4 * 1024;
  private static final int LONGEST_SEQUENCE = 4;

  private ReadableBytes() {}

  /// A whole value; what is longer is cut, and `cut` says so.
  static void value(ObjectNode out, byte @Nullable [] bytes) {
    out.put("size", bytes == null ? 0 : bytes.length);
    put(out, "value", bytes, LARGEST);
  }

  static void key(ObjectNode out, byte @Nullable [] bytes) {
    put(out, "key", bytes, LARGEST_HEADER);
  }

  /// What a header says, or a field: whatever it is.
  static void header(ObjectNode out, @Nullable Object value) {
    switch (value) {
      case null -> out.putNull("value");
      case byte[] bytes -> put(out, "value", bytes, LARGEST_HEADER);
      case String text -> put(out, "value", text.getBytes(StandardCharsets.UTF_8), LARGEST_HEADER);
      case Date time -> out.put("value", time.toInstant().toString());
      default -> out.set("value", Json.tree(value));
    }
  }

  /// @param largest what is longer is cut
  static void put(ObjectNode out, String name, byte @Nullable [] bytes, int largest) {
    if (bytes == null) {
      out.putNull(name);
      return;
    }
    var isCut = bytes.length > largest;
    var text = text(isCut ? Arrays.copyOf(bytes, largest) : bytes, isCut);
    if (text != null) out.put(name, text);
    else {
      var shown = isCut ? Arrays.copyOf(bytes, largest) : bytes;
      out.put(name + "_base64", Base64.getEncoder().encodeToString(shown));
    }
    if (isCut) out.put("cut", true);
  }

  // A cut may go through a character: then the text ends before it.
  private static @Nullable String text(byte[] bytes, boolean isCut) {
    for (int less = 0; less < LONGEST_SEQUENCE && less <= bytes.length; less++) {
      try {
        return StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(bytes, 0, bytes.length - less))
            .toString();
      } catch (CharacterCodingException notText) {
        if (!isCut) return null;
      }
    }
    return null;
  }
}

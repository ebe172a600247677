package io.tidemill.deadletter;

import io.tidemill.json.IsoTime;
import io.tidemill.json.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Bytes of strangers as JSON: as text where they are one, else as `…_base64`.
public final class ByteText {
  /// What is larger is shown by its beginning only.
  public static final int LARGEST = 4 * 1024 * 1024;

  private static final int BEGINNING = 64 * 1024;

  private ByteText() {}

  public static void put(ObjectNode tree, String name, byte @Nullable [] bytes) {
    if (bytes == null) {
      tree.putNull(name);
      return;
    }
    try {
      tree.put(name, utf8(bytes));
    } catch (CharacterCodingException notText) {
      tree.put(name + "_base64", Base64.getEncoder().encodeToString(bytes));
    }
  }

  /// The value of a dead letter; one that is too large for a page is cut, and `cut` says so.
  public static void putValue(ObjectNode tree, byte @Nullable [] bytes) {
    if (bytes == null || bytes.length <= LARGEST) {
      put(tree, "value", bytes);
      return;
    }
    var end = BEGINNING;
    while ((bytes[end] & 0xc0) == 0x80 && end > BEGINNING - 4) end--; // not within a character
    put(tree, "value", Arrays.copyOf(bytes, end));
    tree.put("cut", true);
  }

  /// A header of any type: numbers, lists and the like as they are.
  public static void putAny(ObjectNode tree, String name, @Nullable Object value) {
    switch (value) {
      case null -> tree.putNull(name);
      case byte[] bytes -> put(tree, name, bytes);
      case Date time -> tree.put(name, IsoTime.text(time.toInstant()));
      default -> tree.set(name, Json.tree(value));
    }
  }

  private static String utf8(byte[] bytes) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  /// The beginning of a text, never half a character.
  public static String cut(String text, int longest) {
    if (text.length() <= longest) return text;
    var end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
    return text.substring(0, end);
  }
}

package io.tidemill.processor.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Makes any id a name that an object can have: strangers' ids may hold anything (F53).
public final class SafeName {
  private SafeName() {}

  /// The id itself where that is harmless, or else its hash; always the same for the same id.
  public static String of(String id) {
    if (id.matches("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")) return id;
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
      return "~" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}

package io.tidemill.processor.record;

import io.tidemill.content.fingerprint.Digest;

/// Converts any id to a valid object name: foreign ids may contain anything (F53).
public final class SafeName {
  private SafeName() {}

  /// The id itself where that is harmless, or else its hash; always the same for the same id.
  public static String of(String id) {
    if (id.matches("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}")) return id;
    return "~" + Digest.sha256().add(id).hex();
  }
}

package io.tidemill.http;

import java.util.Optional;

/// Who a request comes from, as far as that is known.
///
/// @param mark the beginning of the key's SHA-256; empty when no key was shown
/// @param name what the settings call the holder of the key; empty when they do not
/// @param role what this caller may do
public record Identity(Optional<String> mark, Optional<String> name, Access role) {
  /// Somebody who showed nothing, or nothing that counts.
  static final Identity NOBODY = new Identity(Optional.empty(), Optional.empty(), Access.OPEN);

  /// Everybody, where no keys are configured.
  static final Identity ANYBODY = new Identity(Optional.empty(), Optional.empty(), Access.ADMIN);

  /// The name, else the mark, else `anonymous`.
  public String who() {
    return name.or(() -> mark).orElse("anonymous");
  }

  boolean isKnown() {
    return role != Access.OPEN;
  }
}

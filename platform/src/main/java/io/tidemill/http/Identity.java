package io.tidemill.http;

import java.util.Optional;

/// Who a request comes from, as far as that is known, and what that allows here.
///
/// @param mark the beginning of the key's SHA-256; empty when no key was shown
/// @param name what the settings call the holder of the key; empty when they do not
/// @param readOnly whether nothing can be changed here, whatever the role
public record Identity(
    Optional<String> mark, Optional<String> name, Access role, boolean readOnly) {
  /// Somebody who showed nothing, or nothing that counts.
  public static final Identity NOBODY =
      new Identity(Optional.empty(), Optional.empty(), Access.OPEN, false);

  /// Everybody, where no keys are configured.
  public static final Identity ANYBODY =
      new Identity(Optional.empty(), Optional.empty(), Access.ADMIN, false);

  public Identity readOnly(boolean only) {
    return new Identity(mark, name, role, only);
  }

  /// The name, else the mark, else `anonymous`.
  public String who() {
    return name.or(() -> mark).orElse("anonymous");
  }

  public boolean isKnown() {
    return role != Access.OPEN;
  }

  /// Why this caller may not do what needs that role; empty when it may.
  ///
  /// @param changes whether it changes something
  public Optional<Problem> refusal(Access needed, boolean changes) {
    if (!role.includes(needed)) {
      return Optional.of(
          Problem.of(
                  403, "this needs the role %s; yours is %s".formatted(needed.wire(), role.wire()))
              .with("needs", needed.wire()));
    }
    return readOnly && changes
        ? Optional.of(
            Problem.of(403, "nothing can be changed here: api.read-only is set")
                .with("readOnly", true))
        : Optional.empty();
  }
}

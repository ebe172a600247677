package io.tidemill.http;

import java.util.Optional;

/// The caller of a request, with its role.
///
/// @param mark the beginning of the key's SHA-256; empty without a key
/// @param name of the key's holder in the settings; empty when they have none
/// @param readOnly whether nothing can be changed here, whatever the role
public record Identity(
    Optional<String> mark, Optional<String> name, Access role, boolean readOnly) {
  /// A caller without valid credentials.
  public static final Identity NOBODY =
      new Identity(Optional.empty(), Optional.empty(), Access.OPEN, false);

  /// Every caller, where no keys are configured.
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

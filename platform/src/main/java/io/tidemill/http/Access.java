package io.tidemill.http;

import java.util.Locale;
import java.util.Optional;

/// What a route asks for, and what a caller may do: each level includes those before it.
public enum Access {
  /// Anybody.
  OPEN,
  /// Looks at everything, changes nothing.
  VIEWER,
  /// Starts, stops and repairs work.
  OPERATOR,
  /// Sees who did what.
  ADMIN;

  /// The role of this name; nobody has the role `open`.
  public static Optional<Access> role(String name) {
    for (var level : values()) {
      if (level != OPEN && level.wire().equals(name)) return Optional.of(level);
    }
    return Optional.empty();
  }

  /// Whether who has this level may do what needs the other.
  boolean includes(Access needed) {
    return compareTo(needed) >= 0;
  }

  /// The name that settings and answers use.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}

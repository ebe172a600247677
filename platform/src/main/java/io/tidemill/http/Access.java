package io.tidemill.http;

import java.util.Locale;
import java.util.Optional;

/// What a route requires and a caller has: each role includes those before it.
public enum Access {
  /// Anybody.
  OPEN,
  /// Reads everything, changes nothing.
  VIEWER,
  /// Starts, stops and repairs work.
  OPERATOR,
  /// Reads the audit trail.
  ADMIN;

  /// The role of this name; nobody has the role `open`.
  public static Optional<Access> role(String name) {
    for (var level : values()) {
      if (level != OPEN && level.wire().equals(name)) return Optional.of(level);
    }
    return Optional.empty();
  }

  boolean includes(Access needed) {
    return compareTo(needed) >= 0;
  }

  /// The name that settings and answers use.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}

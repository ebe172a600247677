package io.tidemill.http;

import org.jspecify.annotations.Nullable;

/// What a handler adds to the audit trail.
///
/// @param caller null when it is the caller that was authenticated
public record AuditNote(@Nullable Identity caller, String detail) {
  static final AuditNote NONE = new AuditNote(null, "");

  AuditNote with(String more) {
    return new AuditNote(caller, detail.isEmpty() ? more : detail + "; " + more);
  }

  AuditNote of(Identity other) {
    return new AuditNote(other, detail);
  }
}

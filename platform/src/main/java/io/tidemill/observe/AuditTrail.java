package io.tidemill.observe;

/// Where changes are written down; never keeps a request waiting and never makes one fail.
@FunctionalInterface
public interface AuditTrail {
  /// For servers that have nothing to change.
  AuditTrail NONE = _ -> {};

  void append(AuditEntry entry);
}

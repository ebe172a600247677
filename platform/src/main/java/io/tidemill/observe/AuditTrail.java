package io.tidemill.observe;

/// Takes audit entries; never blocks a request nor lets it fail.
@FunctionalInterface
public interface AuditTrail {
  AuditTrail NONE = _ -> {};

  void append(AuditEntry entry);
}

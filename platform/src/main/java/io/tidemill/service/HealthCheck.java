package io.tidemill.service;

/// Looks whether something we depend on is there.
@FunctionalInterface
public interface HealthCheck {
  /// Returns what there is to say about it, or throws when it is down.
  String check() throws Exception;
}

package io.tidemill.service;

/// Checks whether a dependency is available.
@FunctionalInterface
public interface HealthCheck {
  /// Returns a description of its state; throws when it is down.
  String check() throws Exception;
}

package io.tidemill.http;

/// Who may call a route.
public enum Access {
  /// Anybody.
  OPEN,
  /// Holders of an API key, once keys are configured.
  KEYED
}

package io.tidemill.config;

/// Settings that can not be used; the message is one line that names key, value, source and what
/// was expected.
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SettingsException(String message) {
    super(message);
  }

  public SettingsException(String message, Throwable cause) {
    super(message, cause);
  }
}

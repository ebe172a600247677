package io.tidemill.config;

/// Settings that can not be used; the message is one line that names key, value, source and what
/// was expected.
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SettingsException(String message) {
    super(oneLine(message));
  }

  public SettingsException(String message, Throwable cause) {
    super(oneLine(message), cause);
  }

  // A file may hold any key and any value.
  private static String oneLine(String message) {
    return message.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", "?");
  }
}

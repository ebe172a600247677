package io.tidemill.config;

import java.util.List;
import java.util.stream.Collectors;

/// Settings that can not be used; each problem is one line that names key, value, source and what
/// was expected.
public final class SettingsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SettingsException(String message) {
    super(oneLine(message));
  }

  public SettingsException(String message, Throwable cause) {
    super(oneLine(message), cause);
  }

  /// @param problems one or more
  public SettingsException(List<String> problems) {
    super(problems.stream().map(SettingsException::oneLine).collect(Collectors.joining("\n")));
  }

  /// All that is wrong, a line for each.
  public List<String> problems() {
    return String.valueOf(getMessage()).lines().toList();
  }

  // A file may hold any key and any value.
  private static String oneLine(String message) {
    return message.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", "?");
  }
}

package io.tidemill.cli;

/// Text for a shell to read.
final class ShellText {
  private ShellText() {}

  /// The value as one word that no shell changes.
  static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }
}

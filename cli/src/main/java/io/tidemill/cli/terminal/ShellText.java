package io.tidemill.cli.terminal;

/// Text for a shell to read.
public final class ShellText {
  private ShellText() {}

  /// The value as one word that no shell changes.
  public static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }
}

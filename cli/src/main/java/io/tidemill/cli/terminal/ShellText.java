package io.tidemill.cli.terminal;

/// Text for a shell to read.
public final class ShellText {
  private ShellText() {}

  /// The value quoted as one word of a shell.
  public static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }
}

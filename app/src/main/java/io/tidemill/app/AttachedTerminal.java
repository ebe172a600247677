package io.tidemill.app;

/// Who reads what we print.
final class AttachedTerminal {
  private AttachedTerminal() {}

  /// Whether a person watches. There may be a console without a terminal, and no console at all.
  @SuppressWarnings("SystemConsoleNull")
  static boolean isInteractive() {
    var console = System.console();
    return console != null && console.isTerminal();
  }
}

package io.tidemill.app;

/// Who reads what we print.
final class Terminal {
  private Terminal() {}

  /// Whether a person watches: since JDK 22 a console exists even where there is no terminal.
  static boolean isInteractive() {
    return java.util.Objects.requireNonNull(System.console()).isTerminal();
  }
}

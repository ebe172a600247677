package io.tidemill.cli;

/// Ends a command with one line for people and an exit code for scripts.
final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  CommandFailure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  static CommandFailure interrupted(InterruptedException interrupt) {
    Thread.currentThread().interrupt();
    return new CommandFailure(ExitCode.INTERRUPTED, "interrupted", interrupt);
  }

  int exitCode() {
    return exitCode;
  }
}

package io.tidemill.cli.terminal;

/// Ends a command with one line for people and an exit code for scripts.
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  public CommandFailure(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  public CommandFailure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public static CommandFailure usage(String message) {
    return new CommandFailure(ExitCode.USAGE, message);
  }

  public static CommandFailure interrupted(InterruptedException interrupt) {
    Thread.currentThread().interrupt();
    return new CommandFailure(ExitCode.INTERRUPTED, "interrupted", interrupt);
  }

  public int exitCode() {
    return exitCode;
  }
}

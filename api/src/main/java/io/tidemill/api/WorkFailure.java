package io.tidemill.api;

/// A step or task could not be done.
public final class WorkFailure extends Exception {
  private final String code;
  private final boolean retryable;

  private WorkFailure(String code, String message, boolean retryable, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.retryable = retryable;
  }

  /// Trying again would not help.
  ///
  /// @param code upper case with underscores, for programs
  /// @param message a sentence for people
  @SuppressWarnings("NullAway") // an exception may be without cause
  public static WorkFailure permanent(String code, String message) {
    return new WorkFailure(code, message, false, null);
  }

  public static WorkFailure permanent(String code, String message, Throwable cause) {
    return new WorkFailure(code, message, false, cause);
  }

  /// Another attempt may succeed.
  @SuppressWarnings("NullAway") // an exception may be without cause
  public static WorkFailure passing(String code, String message) {
    return new WorkFailure(code, message, true, null);
  }

  public static WorkFailure passing(String code, String message, Throwable cause) {
    return new WorkFailure(code, message, true, cause);
  }

  /// The code for programs.
  public String code() {
    return code;
  }

  /// Whether another attempt may succeed.
  public boolean isRetryable() {
    return retryable;
  }
}

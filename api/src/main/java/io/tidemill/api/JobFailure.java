package io.tidemill.api;

/// The job can't be done, and trying again would not help.
public final class JobFailure extends Exception {
  private final String code;

  /// @param code upper case with underscores, for programs
  /// @param message a sentence for people
  public JobFailure(String code, String message) {
    super(message);
    this.code = code;
  }

  /// The code for programs.
  public String code() {
    return code;
  }
}

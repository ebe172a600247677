package io.tidemill.fetch.connection;

/// Carries a failure from where it was found to [Fetcher#fetch], which makes a value of it.
public final class FetchException extends Exception {
  private final FetchFailure kind;

  public FetchException(FetchFailure kind, String reason) {
    // The web fails often: no cause and no stack, the reason says it all.
    super(reason, null, false, false);
    this.kind = kind;
  }

  public FetchFailure kind() {
    return kind;
  }

  public String reason() {
    return String.valueOf(getMessage());
  }
}

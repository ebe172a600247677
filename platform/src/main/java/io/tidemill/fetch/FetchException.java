package io.tidemill.fetch;

/// Carries a failure from where it was found to [Fetcher#fetch], which makes a value of it.
final class FetchException extends Exception {
  private final FetchFailure kind;

  FetchException(FetchFailure kind, String reason) {
    // The web fails often: no cause and no stack, the reason says it all.
    super(reason, null, false, false);
    this.kind = kind;
  }

  FetchFailure kind() {
    return kind;
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}

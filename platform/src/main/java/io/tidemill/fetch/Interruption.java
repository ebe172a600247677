package io.tidemill.fetch;

/// An interrupt, kept for the caller and told as a failure.
final class Interruption {
  private Interruption() {}

  static FetchException again() {
    Thread.currentThread().interrupt();
    return told();
  }

  static FetchException told() {
    return new FetchException(FetchFailure.INTERRUPTED, "the fetch was interrupted");
  }
}

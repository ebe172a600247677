package io.tidemill.fetch.connection;

/// An interrupt, kept for the caller and told as a failure.
public final class Interruption {
  private Interruption() {}

  public static FetchException again() {
    Thread.currentThread().interrupt();
    return asFailure();
  }

  public static FetchException asFailure() {
    return new FetchException(FetchFailure.INTERRUPTED, "the fetch was interrupted");
  }
}

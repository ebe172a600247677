package io.tidemill.api;

/// The job could not be done this time. It stays in the queue and is delivered again when its lease
/// has run out, up to `worker.max-deliveries` times.
public final class RetryLater extends Exception {
  public RetryLater(String why) {
    super(why);
  }

  public RetryLater(String why, Throwable cause) {
    super(why, cause);
  }
}

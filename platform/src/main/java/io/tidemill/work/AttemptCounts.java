package io.tidemill.work;

/// Counts the failed attempts at messages outside of the broker, shared by all processes: AMQP
/// itself does not count them.
public interface AttemptCounts {
  /// Counts one more failure.
  ///
  /// @param message identifies the message across deliveries
  /// @return the number of failures
  int failed(String message);

  /// The message is settled.
  void forget(String message);
}

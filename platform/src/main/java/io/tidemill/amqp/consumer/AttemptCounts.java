package io.tidemill.amqp.consumer;

/// How often messages failed, counted where it outlives this process and others see it: AMQP itself
/// does not count.
public interface AttemptCounts {
  /// Counts one more failure.
  ///
  /// @param message names it for good
  /// @return how many there are now
  int failed(String message);

  /// The message is done with.
  void forget(String message);
}

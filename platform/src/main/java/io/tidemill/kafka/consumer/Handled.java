package io.tidemill.kafka.consumer;

import java.time.Duration;

/// What a handler says of a record.
public sealed interface Handled {
  /// All is done: the record never comes again, unless we crash before the next commit.
  record Done() implements Handled {}

  /// It did not work; another attempt may. Counted: too many of them and the record is dead.
  record Retry(Duration after, String why) implements Handled {}

  /// Something else is not there, say a store: tried again for as long as it takes, not counted.
  record Later(Duration after, String why) implements Handled {}

  /// No attempt can ever work: the record goes to the dead letters.
  record Dead(String reason) implements Handled {}
}

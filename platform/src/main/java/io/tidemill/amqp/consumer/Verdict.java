package io.tidemill.amqp.consumer;

/// What an [MessageConsumer]'s handler says of a delivery.
public sealed interface Verdict {
  /// It is done: acknowledged.
  record Done() implements Verdict {}

  /// It failed for a reason of its own. It goes back to the queue after a pause, and to the dead
  /// letters when that has happened too often.
  record Again(String why) implements Verdict {}

  /// Nothing works at the moment, whatever it is about. It goes back to the queue as often as it
  /// takes, and nothing else is taken meanwhile.
  record Later(String why) implements Verdict {}

  /// It can never work: refused, and kept with the dead letters.
  record Never(String why) implements Verdict {}

  Verdict DONE = new Done();
}

package io.tidemill.broker.amqp;

/// What becomes of a delivery.
public sealed interface Settlement {
  /// It is done: the broker may forget it.
  record Ack() implements Settlement {}

  /// It did not work this time. It stays with the broker and is tried again, after a pause.
  record Retry(String why) implements Settlement {}

  /// It can never work: a copy goes to the dead letters, with its bytes and headers (F40).
  record Dead(String reason) implements Settlement {}

  /// It is done.
  Settlement ACK = new Ack();
}

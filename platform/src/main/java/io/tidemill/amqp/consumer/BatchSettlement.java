package io.tidemill.amqp.consumer;

/// What becomes of a delivery.
public sealed interface BatchSettlement {
  /// It is done: the broker may forget it.
  record Ack() implements BatchSettlement {}

  /// It did not work this time. It stays with the broker and is tried again, after a pause.
  record Retry(String why) implements BatchSettlement {}

  /// It can never work: a copy goes to the dead letters, with its bytes and headers (F40).
  record Dead(String reason) implements BatchSettlement {}

  /// It is done.
  BatchSettlement ACK = new Ack();
}

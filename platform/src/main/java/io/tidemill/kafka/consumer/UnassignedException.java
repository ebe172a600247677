package io.tidemill.kafka.consumer;

/// The leader of the group has sent this member no assignment: kafkajs does so when there are more
/// members than partitions, and Kafka's client can't read that.
final class UnassignedException extends RuntimeException {
  UnassignedException(IllegalStateException unreadable) {
    super("the group's leader has assigned no partitions to this member", unreadable);
  }
}

package io.tidemill.kafka.consumer;

import org.apache.kafka.clients.consumer.RoundRobinAssignor;

/// The round-robin assignment by the only name that kafkajs offers, so that its members can share a
/// group with ours (C2.5).
public final class KafkaJsAssignor extends RoundRobinAssignor {
  @Override
  public String name() {
    return "RoundRobinAssigner";
  }
}

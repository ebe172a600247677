package io.tidemill.broker.kafka;

/// Where the broker put a record.
public record Published(String topic, int partition, long offset) {}

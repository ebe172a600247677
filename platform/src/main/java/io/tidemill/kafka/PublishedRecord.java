package io.tidemill.kafka;

/// Where the broker put a record.
public record PublishedRecord(String topic, int partition, long offset) {}

package io.tidemill.broker.streams;

import io.tidemill.work.Lease;
import java.util.Map;

/// One entry of a stream, delivered to one consumer.
public record Delivery(Lease lease, Map<String, byte[]> fields) {}

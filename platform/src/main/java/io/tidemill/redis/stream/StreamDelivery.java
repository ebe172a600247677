package io.tidemill.redis.stream;

import io.tidemill.work.Lease;
import java.util.Map;

/// One entry of a stream, delivered to one consumer.
public record StreamDelivery(Lease lease, Map<String, byte[]> fields) {}

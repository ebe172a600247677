/// Kafka: how to reach it, topics, and publishing with the confirmation of every replica that must
/// have a record.
@NullMarked
package io.tidemill.kafka;

import org.jspecify.annotations.NullMarked;

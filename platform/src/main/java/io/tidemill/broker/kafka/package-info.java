/// Kafka as a broker: the topics that the contracts name.
@NullMarked
package io.tidemill.broker.kafka;

import org.jspecify.annotations.NullMarked;

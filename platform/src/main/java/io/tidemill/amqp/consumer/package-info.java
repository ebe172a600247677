/// Consumers of queues: messages in batches or one by one, attempts counted, dead letters copied
/// and confirmed before the broker is told.
@NullMarked
package io.tidemill.amqp.consumer;

import org.jspecify.annotations.NullMarked;

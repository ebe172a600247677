/// AMQP 0-9-1 as a broker: the exchanges and queues that the contracts name, publishing with
/// confirms, consuming in batches; the same on RabbitMQ and on Broker-J.
@NullMarked
package io.tidemill.broker.amqp;

import org.jspecify.annotations.NullMarked;

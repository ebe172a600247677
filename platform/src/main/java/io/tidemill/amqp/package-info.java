/// AMQP 0-9-1: connections, exchanges and queues, publishing with confirms; the same on RabbitMQ
/// and on Broker-J.
@NullMarked
package io.tidemill.amqp;

import org.jspecify.annotations.NullMarked;

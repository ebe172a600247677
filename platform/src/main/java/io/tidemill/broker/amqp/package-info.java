/// AMQP 0-9-1 as a broker: the exchanges and queues that the contracts name.
@NullMarked
package io.tidemill.broker.amqp;

import org.jspecify.annotations.NullMarked;

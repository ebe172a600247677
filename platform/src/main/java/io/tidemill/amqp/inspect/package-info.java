/// Looks into queues and gives every message back, and reads queues of dead letters.
@NullMarked
package io.tidemill.amqp.inspect;

import org.jspecify.annotations.NullMarked;

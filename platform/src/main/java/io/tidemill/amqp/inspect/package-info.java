/// Inspects queues without consuming: depths, peeks, and browsing of dead letters.
@NullMarked
package io.tidemill.amqp.inspect;

import org.jspecify.annotations.NullMarked;

/// The worker role: takes jobs from Redis Streams, runs their handlers, settles them.
@NullMarked
package io.tidemill.worker;

import org.jspecify.annotations.NullMarked;

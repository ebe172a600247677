/// The worker role: takes jobs from Redis Streams, runs their handlers, reports how they end.
@NullMarked
package io.tidemill.worker;

import org.jspecify.annotations.NullMarked;

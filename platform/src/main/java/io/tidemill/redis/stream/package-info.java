/// Redis Streams as a broker: a leased consumer, a tail that any number of readers share, and a way
/// to look without taking.
@NullMarked
package io.tidemill.redis.stream;

import org.jspecify.annotations.NullMarked;

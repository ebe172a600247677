/// Redis Streams as a broker: a consumer with leases, a tail that any number of readers share, and
/// an inspector.
@NullMarked
package io.tidemill.redis.stream;

import org.jspecify.annotations.NullMarked;

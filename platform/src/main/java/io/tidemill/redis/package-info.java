/// The client of one Redis: commands of many callers pipelined over few connections, scripts as
/// resources beside the stores that load them, locks, clock and health.
@NullMarked
package io.tidemill.redis;

import org.jspecify.annotations.NullMarked;

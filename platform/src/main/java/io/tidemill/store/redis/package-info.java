/// State in Redis: one pipelined client, scripts as resources, the job store.
@NullMarked
package io.tidemill.store.redis;

import org.jspecify.annotations.NullMarked;

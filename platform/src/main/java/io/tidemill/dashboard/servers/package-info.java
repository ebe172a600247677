/// What the servers beneath hold, and what passes through them, for people: brokers and stores with
/// their topics, queues and streams, a look at single messages, and the newest of each kind.
@NullMarked
package io.tidemill.dashboard.servers;

import org.jspecify.annotations.NullMarked;

/// The servers view: brokers and stores with their topics, queues and streams, single messages, and
/// an example of each kind of message.
@NullMarked
package io.tidemill.dashboard.servers;

import org.jspecify.annotations.NullMarked;

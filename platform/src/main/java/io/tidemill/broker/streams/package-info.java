/// Redis Streams as a broker: a leased source for consumers, a shared tail for readers.
@NullMarked
package io.tidemill.broker.streams;

import org.jspecify.annotations.NullMarked;

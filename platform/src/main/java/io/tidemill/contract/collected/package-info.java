/// Contract C5: `data.collected` over AMQP, written by collectors of data, read by the collector
/// role.
@NullMarked
package io.tidemill.contract.collected;

import org.jspecify.annotations.NullMarked;

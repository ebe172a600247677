/// Contract C5: `data.collected` over AMQP.
///
/// Written by whoever puts a batch of collected data into the object store, our crawler among them,
/// after the batch is there; read by the collector role; settled when the batch's items are in the
/// analytics store.
@NullMarked
package io.tidemill.contract.collected;

import org.jspecify.annotations.NullMarked;

/// Contract C4: pages over AMQP, written by the crawler, settled when the indexer has them durably.
@NullMarked
package io.tidemill.contract.page;

import org.jspecify.annotations.NullMarked;

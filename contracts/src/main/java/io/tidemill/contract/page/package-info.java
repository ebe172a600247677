/// Contract C4: pages over AMQP.
///
/// Written by the crawler, or by anybody's. Read by the indexer, or by anybody's. Settled when the
/// search index has the page durably (C4.6). What our own two know beyond the contract travels in
/// extra headers and in an extra queue, so that a strict reader sees exactly the contract.
@NullMarked
package io.tidemill.contract.page;

import org.jspecify.annotations.NullMarked;

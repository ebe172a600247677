/// Contract C1: crawls over Kafka.
///
/// Written by the gateway (`crawl-requests`), answered by the crawler (`crawl-responses`). A
/// request is settled when the crawl is in the frontier; a response when the entity in Redis is
/// terminal.
@NullMarked
package io.tidemill.contract.crawl;

import org.jspecify.annotations.NullMarked;

/// Contract C1: crawls over Kafka, written by the gateway, answered by the crawler.
@NullMarked
package io.tidemill.contract.crawl;

import org.jspecify.annotations.NullMarked;

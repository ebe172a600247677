/// The indexer role: pages from the queue into the search index, acknowledged once they are durable
/// there (C4.6).
@NullMarked
package io.tidemill.indexer;

import org.jspecify.annotations.NullMarked;

/// The object store: batches of crawled pages, exports, reports.
@NullMarked
package io.tidemill.store.blob;

import org.jspecify.annotations.NullMarked;

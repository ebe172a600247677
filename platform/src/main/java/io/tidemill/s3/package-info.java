/// The object store: batches of crawled pages, exports, reports.
@NullMarked
package io.tidemill.s3;

import org.jspecify.annotations.NullMarked;

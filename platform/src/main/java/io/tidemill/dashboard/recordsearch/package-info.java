/// Keeps the record index up to date from topics, queues and streams, and searches it.
@NullMarked
package io.tidemill.dashboard.recordsearch;

import org.jspecify.annotations.NullMarked;

/// What was collected, item by item, in tables: batches in, projects, items and overviews out
/// (C5.8).
@NullMarked
package io.tidemill.analytics;

import org.jspecify.annotations.NullMarked;

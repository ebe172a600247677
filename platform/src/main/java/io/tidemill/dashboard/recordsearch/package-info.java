/// Keeps the index of records up to date from topics, queues and streams, and asks it. Changes
/// nothing of theirs.
@NullMarked
package io.tidemill.dashboard.recordsearch;

import org.jspecify.annotations.NullMarked;

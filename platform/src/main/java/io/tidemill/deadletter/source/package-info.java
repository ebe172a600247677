/// One class for each place where dead letters lie: topics, queues, streams, tasks, pages.
@NullMarked
package io.tidemill.deadletter.source;

import org.jspecify.annotations.NullMarked;

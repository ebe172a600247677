/// A bounded index of jobs, workflows, tasks, crawls and dead letters, for search. Only a copy.
@NullMarked
package io.tidemill.recordsearch;

import org.jspecify.annotations.NullMarked;

/// An index of everything that goes through the platform, to find it again by whatever one knows of
/// it: jobs, workflows, tasks, crawls, dead letters. Only a copy, and bounded.
@NullMarked
package io.tidemill.recordsearch;

import org.jspecify.annotations.NullMarked;

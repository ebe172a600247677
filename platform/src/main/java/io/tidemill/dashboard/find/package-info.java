/// Search everything: jobs, workflows, tasks, crawls and dead letters, by whatever one knows of
/// them. Reads what others wrote, and changes nothing of theirs.
@NullMarked
package io.tidemill.dashboard.find;

import org.jspecify.annotations.NullMarked;

/// Workflows and tasks (C2): their records, queue, timers and outbox.
@NullMarked
package io.tidemill.workflow;

import org.jspecify.annotations.NullMarked;

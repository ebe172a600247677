/// The processor role (C2): runs workflows step by step and tasks with retries, and publishes their
/// events on Kafka.
///
/// `ExecutionIntake` reads events and admits workflows and tasks to the queue; `ExecutionRunner`
/// leases them; `WorkflowExecution` and `TaskExecution` run them. Put together by `ProcessorRole`.
@NullMarked
package io.tidemill.processor;

import org.jspecify.annotations.NullMarked;

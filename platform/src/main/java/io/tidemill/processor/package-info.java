/// The processor role (C2): runs workflows step by step and tasks with retries, and says on Kafka
/// how it goes.
///
/// `ExecutionIntake` reads events and lets workflows and tasks into the store; `ExecutionRunner`
/// takes them from there by lease; `WorkflowRun` and `TaskRun` do them. Put together by
/// `ProcessorRole`.
@NullMarked
package io.tidemill.processor;

import org.jspecify.annotations.NullMarked;

package io.tidemill.cli.workflow;

import io.tidemill.contract.workflow.ExecutionRecords;
import java.util.Iterator;

/// The types of tasks that a shell may complete.
final class TaskTypeNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return ExecutionRecords.TASK_TYPES.stream().sorted().iterator();
  }
}

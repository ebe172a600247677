package io.tidemill.cli;

import io.tidemill.contract.flow.FlowRecords;
import java.util.Iterator;

/// The types of tasks that a shell may complete.
final class FlowTypeNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return FlowRecords.TASK_TYPES.stream().sorted().iterator();
  }
}

package io.tidemill.cli.workflow;

import io.tidemill.cli.client.OptionValue;
import io.tidemill.contract.workflow.Priority;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The priorities that a shell may complete.
final class PriorityNames implements Iterable<String> {
  @Override
  public Iterator<String> iterator() {
    return names().iterator();
  }

  static void check(@Nullable String priority) {
    OptionValue.oneOf("--priority", priority, names());
  }

  static List<String> names() {
    return Arrays.stream(Priority.values()).map(Priority::wire).toList();
  }
}

package io.tidemill.cli;

import io.tidemill.cli.terminal.CommandFailure;
import java.util.List;

/// The roles a process can have.
final class Roles {
  static final List<String> ALL =
      List.of("gateway", "crawler", "indexer", "collector", "processor", "worker");

  private Roles() {}

  /// Refuses the first name that can't be started.
  static List<String> check(List<String> names) {
    for (var name : names) {
      if (ALL.contains(name)) continue;
      throw CommandFailure.usage(
          "the role '%s' does not exist: expected one of %s"
              .formatted(name, String.join(", ", ALL)));
    }
    return names.stream().distinct().toList();
  }
}

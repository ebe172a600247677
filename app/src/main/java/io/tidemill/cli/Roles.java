package io.tidemill.cli;

import java.util.List;

/// The roles a process can have; some are only planned.
final class Roles {
  static final List<String> ALL =
      List.of("gateway", "crawler", "indexer", "collector", "processor", "worker");
  static final List<String> BUILT =
      List.of("gateway", "crawler", "indexer", "collector", "processor", "worker");

  private Roles() {}

  /// Refuses the first name that can't be started.
  static List<String> check(List<String> names) {
    for (var name : names) {
      if (BUILT.contains(name)) continue;
      var why = ALL.contains(name) ? "is not built yet" : "does not exist";
      throw CommandFailure.usage(
          "the role '%s' %s: expected one of %s".formatted(name, why, String.join(", ", BUILT)));
    }
    return names.stream().distinct().toList();
  }
}

package io.tidemill.dashboard.find;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What can be found.
enum Kind {
  JOB,
  WORKFLOW,
  TASK,
  CRAWL,
  DEAD;

  static final List<String> NAMES = Arrays.stream(values()).map(Kind::wire).toList();

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}

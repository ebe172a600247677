package io.tidemill.dashboard.recordsearch;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The kinds of records.
enum RecordKind {
  JOB,
  WORKFLOW,
  TASK,
  CRAWL,
  DEAD;

  static final List<String> NAMES = Arrays.stream(values()).map(RecordKind::wire).toList();

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package io.tidemill.contract.job;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// The tasks of jobs (C3.2).
public enum JobTask {
  CHAT,
  PLAN,
  CODE,
  TOOL,
  RAG,
  EMBED;

  /// The six names as a sentence names them.
  public static final String NAMES =
      Arrays.stream(values()).map(JobTask::wire).collect(Collectors.joining(", "));

  /// The name on the wire.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The task of that exact wire name.
  public static Optional<JobTask> of(String wire) {
    return Arrays.stream(values()).filter(task -> task.wire().equals(wire)).findFirst();
  }
}

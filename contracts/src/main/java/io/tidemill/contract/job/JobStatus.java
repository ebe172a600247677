package io.tidemill.contract.job;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Where a job stands; the last three are final.
public enum JobStatus {
  QUEUED,
  RUNNING,
  DONE,
  ERROR,
  CANCELED;

  /// The name on the wire, which is also the type of the event that reports it.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Whether nothing can follow.
  public boolean isTerminal() {
    return this == DONE || this == ERROR || this == CANCELED;
  }

  /// The status of that exact wire name.
  public static Optional<JobStatus> of(String wire) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(wire)).findFirst();
  }
}

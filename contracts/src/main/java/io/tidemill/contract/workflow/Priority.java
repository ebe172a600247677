package io.tidemill.contract.workflow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How urgent a workflow is (C2.6).
public enum Priority {
  LOW,
  MEDIUM,
  HIGH;

  /// As people are told.
  public static final String NAMES = "low, medium, high";

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Priority> of(String wire) {
    return Arrays.stream(values()).filter(one -> one.wire().equals(wire)).findFirst();
  }
}

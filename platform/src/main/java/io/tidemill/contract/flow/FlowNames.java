package io.tidemill.contract.flow;

import java.time.Duration;

/// Every name of contract C2, spelled once.
public final class FlowNames {
  /// Events of workflows.
  public static final String WORKFLOWS = "workflows";

  /// Events of tasks.
  public static final String TASKS = "tasks";

  /// Partitions of each topic (C2.1).
  public static final int PARTITIONS = 3;

  /// How long a topic keeps an event (C2.1).
  public static final Duration RETENTION = Duration.ofDays(7);

  private FlowNames() {}
}

package io.tidemill.contract.workflow;

import java.time.Duration;
import java.util.UUID;

/// Every name of contract C2, spelled once.
public final class ExecutionNames {
  /// Events of workflows.
  public static final String WORKFLOWS = "workflows";

  /// Events of tasks.
  public static final String TASKS = "tasks";

  /// Partitions of each topic (C2.1).
  public static final int PARTITIONS = 3;

  /// How long a topic keeps an event (C2.1).
  public static final Duration RETENTION = Duration.ofDays(7);

  /// The consumer group of the processors (C2.5).
  public static final String PROCESSORS = "workflow-processors";

  /// The consumer group of our gateways, which watch what foreign processors report.
  public static final String GATEWAYS = "workflow-gateways";

  /// Names the form of the value (C2.2).
  public static final String CONTENT_TYPE = "content-type";

  /// Names the contract's version (C2.2).
  public static final String SCHEMA_VERSION = "schema-version";

  /// The version that we write.
  public static final String VERSION = "1.0.0";

  /// Names the trace, as the W3C wrote it down; optional.
  public static final String TRACEPARENT = "traceparent";

  /// Ours: the store has the change already, so our consumers skip the event. Others may ignore it.
  public static final String RECORDED = "tidemill-recorded";

  /// What our gateway calls itself in `metadata.source`.
  public static final String GATEWAY = "api-gateway";

  /// What our processor calls itself in `metadata.source`.
  public static final String PROCESSOR = "event-processor";

  /// Codes of errors that the contract or our rulings name.
  public static final String UNKNOWN_STEP = "UNKNOWN_STEP";

  public static final String UNKNOWN_TYPE = "UNKNOWN_TASK_TYPE";
  public static final String CANCELED = "CANCELED";

  /// What became of one that the broker would not take.
  public static final String UNPUBLISHED = "UNPUBLISHED";

  private static final int LONGEST_ID = 500;

  private ExecutionNames() {}

  /// Whether this can name a workflow or task: any text that is no key beside a record (C2.2).
  public static boolean isId(String id) {
    return !id.isEmpty()
        && id.length() <= LONGEST_ID
        && !id.endsWith(":events")
        && !id.endsWith(":outbox");
  }

  public static String newEventId() {
    return "evt-" + UUID.randomUUID();
  }

  public static String newWorkflowId() {
    return "wf-" + UUID.randomUUID();
  }

  public static String newTaskId() {
    return "task-" + UUID.randomUUID();
  }
}

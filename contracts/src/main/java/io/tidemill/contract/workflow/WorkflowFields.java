package io.tidemill.contract.workflow;

/// The fields of the hashes `workflow:{id}` and `task:{id}`, spelled once. A test compares them
/// with those of the Lua scripts.
public final class WorkflowFields {
  // The `created` event.
  public static final String WORKFLOW_ID = "workflowId";
  public static final String NAME = "name";
  public static final String STEPS = "steps";
  public static final String PRIORITY = "priority";
  public static final String INPUT = "input";
  public static final String TASK_ID = "taskId";
  public static final String TYPE = "type";
  public static final String DATA = "data";
  public static final String FIRST_RETRY_COUNT = "firstRetryCount";
  public static final String MAX_RETRIES = "maxRetries";
  public static final String CREATED_AT = "createdAt";

  /// Members of the event's payload that the contract does not know.
  public static final String MORE = "more";

  // The envelope of the `created` event, and its place in the topic.
  public static final String EVENT_ID = "eventId";
  public static final String EVENT_AT = "eventAt";
  public static final String TRACEPARENT = "traceparent";
  public static final String CORRELATION_ID = "correlationId";
  public static final String PARTITION = "partition";

  /// The offset of the last event that is known to be in the topic.
  public static final String MARK = "mark";

  /// Partition and offset of the last foreign event, as `p:o`.
  public static final String SEEN = "seen";

  /// A digest of the submission, compared when its idempotency key comes again.
  public static final String BODY = "body";

  // The queue.
  public static final String STATUS = "status";
  public static final String PLACE = "place";
  public static final String RUN = "run";
  public static final String TAKES = "takes";
  public static final String OWNER = "owner";
  public static final String SCORE = "score";
  public static final String GROUP = "group";
  public static final String BOOST = "boost";

  // Reports to a gateway.

  /// Counts the changes to report; tells whether one came while another was reported.
  public static final String REPORTS = "reports";

  /// Failed tries at the current report.
  public static final String REPORT_TRIES = "reportTries";

  // The current attempt and the end.
  public static final String LIVES = "lives";
  public static final String STARTED_AT = "startedAt";
  public static final String COMPLETED_AT = "completedAt";
  public static final String DURATION = "duration";
  public static final String ERROR = "error";
  public static final String PROGRESS = "progress";
  public static final String RETRY_COUNT = "retryCount";
  public static final String NEXT_RETRY_AT = "nextRetryAt";
  public static final String RESULT = "result";

  // The steps of a workflow.
  public static final String CURRENT_STEP = "currentStep";
  public static final String CURRENT_STEP_INDEX = "currentStepIndex";
  public static final String STEP_STARTED_AT = "stepStartedAt";
  public static final String STEPS_COMPLETED = "stepsCompleted";
  public static final String TRIES = "tries";
  public static final String NEXT_ATTEMPT_AT = "nextAttemptAt";
  public static final String STATE = "state";
  public static final String LEFT = "left";
  public static final String SHELF = "shelf";
  public static final String TOTAL = "total";
  public static final String FAILED = "failed";
  public static final String SUMMARY = "summary";

  private static final String STEP = "step:";
  private static final String AFTER = "after:";

  private WorkflowFields() {}

  /// The result of a step.
  public static String step(int index) {
    return STEP + index;
  }

  /// The checkpoint after a step: its output and the counts so far. A retry from a later step
  /// starts with it.
  public static String after(int index) {
    return AFTER + index;
  }
}

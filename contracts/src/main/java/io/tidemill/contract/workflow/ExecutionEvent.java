package io.tidemill.contract.workflow;

import io.tidemill.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What happened to a workflow or a task: the ten events of contract C2 (C2.3), and a place for
/// those that a later version of it may bring.
public sealed interface ExecutionEvent {
  /// The types that the contract names (C2.3).
  Set<String> TYPES =
      Set.of(
          WorkflowCreated.TYPE,
          WorkflowProcessing.TYPE,
          StepCompleted.TYPE,
          WorkflowCompleted.TYPE,
          WorkflowFailed.TYPE,
          TaskCreated.TYPE,
          TaskProcessing.TYPE,
          TaskCompleted.TYPE,
          TaskFailed.TYPE,
          TaskDeadLetter.TYPE);

  /// The name on the wire.
  default String type() {
    return switch (this) {
      case WorkflowCreated _ -> WorkflowCreated.TYPE;
      case WorkflowProcessing _ -> WorkflowProcessing.TYPE;
      case StepCompleted _ -> StepCompleted.TYPE;
      case WorkflowCompleted _ -> WorkflowCompleted.TYPE;
      case WorkflowFailed _ -> WorkflowFailed.TYPE;
      case TaskCreated _ -> TaskCreated.TYPE;
      case TaskProcessing _ -> TaskProcessing.TYPE;
      case TaskCompleted _ -> TaskCompleted.TYPE;
      case TaskFailed _ -> TaskFailed.TYPE;
      case TaskDeadLetter _ -> TaskDeadLetter.TYPE;
      case Unknown(var type) -> type;
    };
  }

  /// The workflow or task that it is about; also the record's key.
  String id();

  /// Whether this is the topic of its kind; of types that we do not know, any may be.
  default boolean belongsInto(String topic) {
    return switch (this) {
      case OfWorkflow _ -> topic.equals(ExecutionNames.WORKFLOWS);
      case OfTask _ -> topic.equals(ExecutionNames.TASKS);
      case Unknown _ -> true;
    };
  }

  /// Events of workflows.
  sealed interface OfWorkflow extends ExecutionEvent {}

  /// Events of tasks.
  sealed interface OfTask extends ExecutionEvent {}

  /// A new workflow.
  ///
  /// @param input ours: what the steps work on, and their options; others need not know it
  /// @param more members of the payload that the contract does not know, to be kept (G1)
  record WorkflowCreated(
      String id,
      String name,
      List<String> steps,
      Priority priority,
      Instant createdAt,
      @Nullable ObjectNode input,
      ObjectNode more)
      implements OfWorkflow {
    public static final String TYPE = "workflow.created";

    // Written out: of a compact one the compiler forgets which parameters may be null.
    public WorkflowCreated(
        String id,
        String name,
        List<String> steps,
        Priority priority,
        Instant createdAt,
        @Nullable ObjectNode input,
        ObjectNode more) {
      this.id = id;
      this.name = name;
      this.steps = List.copyOf(steps);
      this.priority = priority;
      this.createdAt = createdAt;
      this.input = input;
      this.more = more;
    }

    public WorkflowCreated(
        String id,
        String name,
        List<String> steps,
        Priority priority,
        Instant createdAt,
        @Nullable ObjectNode input) {
      this(id, name, steps, priority, createdAt, input, Json.object());
    }
  }

  /// A processor has begun with a workflow.
  record WorkflowProcessing(String id, Instant startedAt, String currentStep, int currentStepIndex)
      implements OfWorkflow {
    public static final String TYPE = "workflow.processing";
  }

  /// A step has ended well.
  ///
  /// @param duration milliseconds
  record StepCompleted(
      String id,
      String stepName,
      int stepIndex,
      Instant completedAt,
      long duration,
      JsonNode result)
      implements OfWorkflow {
    public static final String TYPE = "workflow.step.completed";
  }

  /// All steps have ended well.
  ///
  /// @param duration milliseconds
  record WorkflowCompleted(
      String id, Instant completedAt, long duration, int stepsCompleted, JsonNode summary)
      implements OfWorkflow {
    public static final String TYPE = "workflow.completed";
  }

  /// A step has failed, and the workflow with it.
  record WorkflowFailed(
      String id, Instant failedAt, String failedStep, int failedStepIndex, ExecutionError error)
      implements OfWorkflow {
    public static final String TYPE = "workflow.failed";
  }

  /// A new task.
  ///
  /// @param more members of the payload that the contract does not know, to be kept (G1)
  record TaskCreated(
      String id,
      String taskType,
      ObjectNode data,
      int retryCount,
      int maxRetries,
      Instant createdAt,
      ObjectNode more)
      implements OfTask {
    public static final String TYPE = "task.created";

    public TaskCreated(
        String id,
        String taskType,
        ObjectNode data,
        int retryCount,
        int maxRetries,
        Instant createdAt) {
      this(id, taskType, data, retryCount, maxRetries, createdAt, Json.object());
    }
  }

  /// A processor has begun with an attempt at a task.
  record TaskProcessing(String id, Instant startedAt, int retryCount) implements OfTask {
    public static final String TYPE = "task.processing";
  }

  /// A task has ended well.
  ///
  /// @param duration milliseconds
  record TaskCompleted(String id, Instant completedAt, long duration, JsonNode result)
      implements OfTask {
    public static final String TYPE = "task.completed";
  }

  /// An attempt has failed, and another one comes.
  ///
  /// @param retryCount of the attempt to come
  record TaskFailed(
      String id,
      Instant failedAt,
      int retryCount,
      int maxRetries,
      ExecutionError error,
      Instant nextRetryAt)
      implements OfTask {
    public static final String TYPE = "task.failed";
  }

  /// A task has failed, and is not tried again.
  ///
  /// @param originalEvent the `task.created` that it began with: its type and payload
  record TaskDeadLetter(
      String id,
      ObjectNode originalEvent,
      int retryCount,
      int maxRetries,
      ExecutionError finalError,
      Instant deadLetteredAt)
      implements OfTask {
    public static final String TYPE = "task.dead_letter";
  }

  /// An event of a type that we do not know, from a later version of the contract.
  record Unknown(String type) implements ExecutionEvent {
    @Override
    public String id() {
      return "";
    }
  }
}

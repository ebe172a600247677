package io.tidemill.contract.workflow;

import io.tidemill.contract.workflow.ExecutionEvent.TaskCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.TaskDeadLetter;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.TaskProcessing;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowProcessing;
import java.util.Set;

/// The two things that contract C2 is about, and where each is kept.
public enum ExecutionKind {
  WORKFLOW("workflow", ExecutionNames.WORKFLOWS),
  TASK("task", ExecutionNames.TASKS);

  private final String wire;
  private final String topic;

  ExecutionKind(String wire, String topic) {
    this.wire = wire;
    this.topic = topic;
  }

  /// In the singular, as in event types and keys.
  public String wire() {
    return wire;
  }

  /// The topic of its events; also its name in the plural.
  public String topic() {
    return topic;
  }

  /// The JSON field of its id.
  public String idField() {
    return wire + "Id";
  }

  /// Key of one's record.
  public String key(String id) {
    return wire + ":" + id;
  }

  /// Key of the stream of one's events, as followers see them.
  public String events(String id) {
    return key(id) + ":events";
  }

  /// Key of the events that are recorded and not yet known to be in the topic.
  public String outbox(String id) {
    return key(id) + ":outbox";
  }

  /// Key of something that all of a kind share.
  public String shared(String what) {
    return topic + ":" + what;
  }

  /// The type of the event that follows a change to this status.
  public String eventType(ExecutionStatus status) {
    var isWorkflow = this == WORKFLOW;
    return switch (status) {
      case PENDING -> isWorkflow ? WorkflowCreated.TYPE : TaskCreated.TYPE;
      case PROCESSING -> isWorkflow ? WorkflowProcessing.TYPE : TaskProcessing.TYPE;
      case RETRYING -> TaskFailed.TYPE;
      case COMPLETED -> isWorkflow ? WorkflowCompleted.TYPE : TaskCompleted.TYPE;
      case FAILED, CANCELED, DEAD_LETTER -> isWorkflow ? WorkflowFailed.TYPE : TaskDeadLetter.TYPE;
    };
  }

  /// The types of the events after which nothing comes.
  public Set<String> terminalEvents() {
    return Set.of(eventType(ExecutionStatus.COMPLETED), eventType(ExecutionStatus.FAILED));
  }
}

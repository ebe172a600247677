package io.tidemill.processor;

import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent.StepCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowFailed;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import io.tidemill.workflow.ExecutionChange;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The record of a workflow as its holder has it: what it says, and how it changes with each step.
/// What is changed here is for the caller to write down.
final class WorkflowState {
  private final Map<String, String> fields;
  private final List<String> steps;

  WorkflowState(Map<String, String> record) {
    fields = new HashMap<>(record);
    steps = ExecutionRecords.workflowCreated(fields).steps();
  }

  Map<String, String> fields() {
    return fields;
  }

  List<String> steps() {
    return steps;
  }

  /// The place of the step that it is in, from 0.
  int index() {
    return ExecutionRecords.number(fields, "currentStepIndex");
  }

  String stepName() {
    return steps.get(Math.min(index(), steps.size() - 1));
  }

  boolean isInLastStep() {
    return index() + 1 == steps.size();
  }

  /// It is about the step at this place from now on.
  void goTo(int index) {
    fields.put("currentStepIndex", String.valueOf(index));
  }

  ObjectNode input() {
    return ExecutionRecords.object(fields, "input");
  }

  /// The step's own time limit.
  Optional<Duration> ownLimit() throws WorkFailure {
    return StepOptions.of(input(), stepName(), index()).timeout();
  }

  int tries() {
    return ExecutionRecords.number(fields, "tries");
  }

  boolean isOver() {
    return status().isTerminal();
  }

  ExecutionStatus status() {
    return ExecutionStatus.of(fields.getOrDefault("status", "")).orElse(ExecutionStatus.PENDING);
  }

  /// Milliseconds since the time in a field.
  long since(String field, Instant now) {
    return ExecutionTime.decode(fields.getOrDefault(field, ""))
        .map(then -> Math.max(0, now.toEpochMilli() - then.toEpochMilli()))
        .orElse(0L);
  }

  /// What its steps left in the object store.
  ArrayNode shelf() {
    return (ArrayNode) Json.parse(fields.getOrDefault("shelf", "[]"));
  }

  /// The step waits, and said this.
  void waits(ObjectNode state) {
    fields.put("state", Json.text(state));
  }

  /// It has begun, for the first time or again.
  ExecutionChange begun(Instant now) {
    var change = status(new ExecutionChange(), ExecutionStatus.PROCESSING);
    put(change, "startedAt", fields.getOrDefault("startedAt", ExecutionTime.encode(now)));
    put(change, "stepStartedAt", ExecutionTime.encode(now));
    put(change, "stepsCompleted", String.valueOf(index()));
    put(change, "currentStep", stepName());
    put(change, "currentStepIndex", String.valueOf(index()));
    return change;
  }

  private ExecutionChange status(ExecutionChange change, ExecutionStatus status) {
    fields.put("status", status.wire());
    return change.status(status);
  }

  private void put(ExecutionChange change, String field, String value) {
    fields.put(field, value);
    change.set(field, value);
  }

  private void remove(ExecutionChange change, String... names) {
    for (var name : names) fields.remove(name);
    change.remove(names);
  }

  /// A step is done.
  ///
  /// @param left where the records are that it left
  ExecutionChange stepDone(StepCompleted event, ObjectNode left, Counts counts) {
    var change = new ExecutionChange();
    var index = event.stepIndex();
    remove(change, "state", "tries", "nextAttemptAt", "progress");
    put(
        change,
        ExecutionRecords.step(index),
        Json.text(ExecutionCodec.payload(event).without("workflowId")));
    put(change, "left", Json.text(left));
    shelve(change, left);
    put(change, "stepStartedAt", ExecutionTime.encode(event.completedAt()));
    put(change, "stepsCompleted", String.valueOf(index + 1));
    count(change, counts);
    put(change, ExecutionRecords.after(index), Json.text(after(left)));
    return change;
  }

  // What lies in the object store is cleared away when the workflow has ended well.
  private void shelve(ExecutionChange change, ObjectNode left) {
    if (!left.has("key")) return;
    var shelf = shelf();
    if (shelf.valueStream().noneMatch(left::equals)) {
      put(change, "shelf", Json.text(shelf.add(left)));
    }
  }

  // The first step that counts says how many there were; failures of all steps add up.
  private void count(ExecutionChange change, Counts counts) {
    if (counts.total() > 0 && !fields.containsKey("total")) {
      put(change, "total", String.valueOf(counts.total()));
    }
    put(change, "failed", String.valueOf(longOf("failed") + counts.failed()));
  }

  private ObjectNode after(ObjectNode left) {
    var after = Json.object();
    after.set("left", left);
    for (var count : List.of("total", "failed")) {
      if (fields.containsKey(count)) after.put(count, longOf(count));
    }
    return after;
  }

  private long longOf(String field) {
    return Long.parseLong(fields.getOrDefault(field, "0"));
  }

  /// The next step comes.
  void nextStep(ExecutionChange change) {
    var next = index() + 1;
    put(change, "currentStep", steps.get(next));
    put(change, "currentStepIndex", String.valueOf(next));
  }

  /// The counters of the contract's summary (C2.8).
  ObjectNode summary() {
    var total = longOf("total");
    var failed = longOf("failed");
    return Json.object()
        .put("totalRecords", total)
        .put("successfulRecords", Math.max(0, total - failed))
        .put("failedRecords", failed);
  }

  /// All steps are done.
  void completed(ExecutionChange change, ObjectNode summary, Instant now) {
    put(change, "summary", Json.text(summary));
    end(status(change, ExecutionStatus.COMPLETED), now);
    remove(change, "left");
    for (int i = 0; i < steps.size(); i++) remove(change, ExecutionRecords.after(i));
  }

  private void end(ExecutionChange change, Instant now) {
    put(change, "completedAt", ExecutionTime.encode(now));
    put(change, "duration", String.valueOf(since("startedAt", now)));
  }

  /// It ends with the step that it is in.
  ExecutionChange failed(WorkflowFailed event) {
    var change = status(new ExecutionChange(), ExecutionStatus.FAILED);
    put(change, "error", Json.text(ExecutionCodec.payload(event).get("error")));
    end(change, event.failedAt());
    put(change, "currentStep", stepName());
    put(change, "currentStepIndex", String.valueOf(index()));
    remove(change, "state", "tries", "nextAttemptAt");
    return change;
  }
}

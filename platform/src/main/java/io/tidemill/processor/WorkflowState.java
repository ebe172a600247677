package io.tidemill.processor;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent.StepCompleted;
import io.tidemill.contract.flow.FlowEvent.WorkflowFailed;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.processor.api.StepOutcome.Counts;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.store.redis.FlowChange;
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
    steps = FlowRecords.workflowCreated(fields).steps();
  }

  Map<String, String> fields() {
    return fields;
  }

  List<String> steps() {
    return steps;
  }

  /// The place of the step that it is in, from 0.
  int index() {
    return FlowRecords.number(fields, "currentStepIndex");
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
    return FlowRecords.object(fields, "input");
  }

  /// The step's own time limit.
  Optional<Duration> ownLimit() throws WorkFailure {
    return StepOptions.of(input(), stepName(), index()).timeout();
  }

  int tries() {
    return FlowRecords.number(fields, "tries");
  }

  boolean isOver() {
    return status().isTerminal();
  }

  FlowStatus status() {
    return FlowStatus.of(fields.getOrDefault("status", "")).orElse(FlowStatus.PENDING);
  }

  /// Milliseconds since the time in a field.
  long since(String field, Instant now) {
    return FlowTime.decode(fields.getOrDefault(field, ""))
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
  FlowChange begun(Instant now) {
    var change = status(new FlowChange(), FlowStatus.PROCESSING);
    put(change, "startedAt", fields.getOrDefault("startedAt", FlowTime.encode(now)));
    put(change, "stepStartedAt", FlowTime.encode(now));
    put(change, "stepsCompleted", String.valueOf(index()));
    put(change, "currentStep", stepName());
    put(change, "currentStepIndex", String.valueOf(index()));
    return change;
  }

  private FlowChange status(FlowChange change, FlowStatus status) {
    fields.put("status", status.wire());
    return change.status(status);
  }

  private void put(FlowChange change, String field, String value) {
    fields.put(field, value);
    change.set(field, value);
  }

  private void remove(FlowChange change, String... names) {
    for (var name : names) fields.remove(name);
    change.remove(names);
  }

  /// A step is done.
  ///
  /// @param left where the records are that it left
  FlowChange stepDone(StepCompleted event, ObjectNode left, Counts counts) {
    var change = new FlowChange();
    var index = event.stepIndex();
    remove(change, "state", "tries", "nextAttemptAt", "progress");
    put(change, FlowRecords.step(index), Json.text(FlowCodec.payload(event).without("workflowId")));
    put(change, "left", Json.text(left));
    shelve(change, left);
    put(change, "stepStartedAt", FlowTime.encode(event.completedAt()));
    put(change, "stepsCompleted", String.valueOf(index + 1));
    count(change, counts);
    put(change, FlowRecords.after(index), Json.text(after(left)));
    return change;
  }

  // What lies in the object store is cleared away when the workflow has ended well.
  private void shelve(FlowChange change, ObjectNode left) {
    if (!left.has("key")) return;
    var shelf = shelf();
    if (shelf.valueStream().noneMatch(left::equals)) {
      put(change, "shelf", Json.text(shelf.add(left)));
    }
  }

  // The first step that counts says how many there were; failures of all steps add up.
  private void count(FlowChange change, Counts counts) {
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
  void nextStep(FlowChange change) {
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
  void completed(FlowChange change, ObjectNode summary, Instant now) {
    put(change, "summary", Json.text(summary));
    end(status(change, FlowStatus.COMPLETED), now);
    remove(change, "left");
    for (int i = 0; i < steps.size(); i++) remove(change, FlowRecords.after(i));
  }

  private void end(FlowChange change, Instant now) {
    put(change, "completedAt", FlowTime.encode(now));
    put(change, "duration", String.valueOf(since("startedAt", now)));
  }

  /// It ends with the step that it is in.
  FlowChange failed(WorkflowFailed event) {
    var change = status(new FlowChange(), FlowStatus.FAILED);
    put(change, "error", Json.text(FlowCodec.payload(event).get("error")));
    end(change, event.failedAt());
    put(change, "currentStep", stepName());
    put(change, "currentStepIndex", String.valueOf(index()));
    remove(change, "state", "tries", "nextAttemptAt");
    return change;
  }
}

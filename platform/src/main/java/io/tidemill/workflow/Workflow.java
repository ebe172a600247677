package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP;
import static io.tidemill.contract.workflow.WorkflowFields.CURRENT_STEP_INDEX;
import static io.tidemill.contract.workflow.WorkflowFields.FAILED;
import static io.tidemill.contract.workflow.WorkflowFields.LEFT;
import static io.tidemill.contract.workflow.WorkflowFields.LIVES;
import static io.tidemill.contract.workflow.WorkflowFields.NEXT_ATTEMPT_AT;
import static io.tidemill.contract.workflow.WorkflowFields.SHELF;
import static io.tidemill.contract.workflow.WorkflowFields.STARTED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.STATE;
import static io.tidemill.contract.workflow.WorkflowFields.STEPS_COMPLETED;
import static io.tidemill.contract.workflow.WorkflowFields.STEP_STARTED_AT;
import static io.tidemill.contract.workflow.WorkflowFields.TOTAL;
import static io.tidemill.contract.workflow.WorkflowFields.TRIES;

import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.contract.workflow.WorkflowFields;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A workflow. The results of its steps are written once and only shown: they are not part of it.
///
/// @param lives how often it was begun again
/// @param startedAt when its first step began
/// @param stepsCompleted null until it has started
/// @param checkpoints the output and counts after each completed step, by its index
public record Workflow(
    WorkflowCreated created,
    Bookkeeping bookkeeping,
    ExecutionStatus status,
    int lives,
    @Nullable Instant startedAt,
    CurrentStep step,
    @Nullable Long stepsCompleted,
    Output output,
    Ending ending,
    Map<Integer, ObjectNode> checkpoints)
    implements ExecutionRecord {
  /// The step that runs, waits or failed.
  ///
  /// @param index null until the workflow has started
  /// @param name as written; null until the workflow has started
  /// @param startedAt when its first attempt began
  /// @param failures attempts that failed
  /// @param nextAttemptAt when it is called again, if it waits
  /// @param state what it returned when it last waited
  public record CurrentStep(
      @Nullable Long index,
      @Nullable String name,
      @Nullable Instant startedAt,
      int failures,
      @Nullable Instant nextAttemptAt,
      @Nullable ObjectNode state) {
    CurrentStep retried(int failed, Instant at) {
      return new CurrentStep(index, name, startedAt, failed, at, state);
    }

    CurrentStep waiting(ObjectNode next, Instant at) {
      return new CurrentStep(index, name, startedAt, 0, at, next);
    }

    CurrentStep withState(ObjectNode next) {
      return new CurrentStep(index, name, startedAt, failures, nextAttemptAt, next);
    }
  }

  /// What the completed steps left.
  ///
  /// @param last where the records of the last completed step are; null before the first
  /// @param stored all that lies in the object store
  /// @param total records that the first counting step saw
  /// @param failed records that failed in all steps
  public record Output(
      @Nullable ObjectNode last,
      List<ObjectNode> stored,
      @Nullable Long total,
      @Nullable Long failed) {}

  public Workflow {
    checkpoints = Map.copyOf(checkpoints);
  }

  public static Workflow of(Map<String, String> hash) {
    var created = ExecutionRecords.workflowCreated(hash);
    return new Workflow(
        created,
        Bookkeeping.of(hash),
        ExecutionRecord.status(hash),
        ExecutionRecords.number(hash, LIVES),
        ExecutionRecord.time(hash, STARTED_AT),
        new CurrentStep(
            ExecutionRecord.number(hash, CURRENT_STEP_INDEX),
            hash.get(CURRENT_STEP),
            ExecutionRecord.time(hash, STEP_STARTED_AT),
            ExecutionRecords.number(hash, TRIES),
            ExecutionRecord.time(hash, NEXT_ATTEMPT_AT),
            hash.containsKey(STATE) ? ExecutionRecords.object(hash, STATE) : null),
        ExecutionRecord.number(hash, STEPS_COMPLETED),
        output(hash),
        Ending.of(hash),
        checkpoints(hash, created.steps().size()));
  }

  private static Output output(Map<String, String> hash) {
    return new Output(
        hash.containsKey(LEFT) ? ExecutionRecords.object(hash, LEFT) : null,
        stored(hash.getOrDefault(SHELF, "[]")),
        ExecutionRecord.number(hash, TOTAL),
        ExecutionRecord.number(hash, FAILED));
  }

  /// What a field `shelf` says is in the object store.
  public static List<ObjectNode> stored(String shelf) {
    return Json.parse(shelf).valueStream().map(ObjectNode.class::cast).toList();
  }

  private static Map<Integer, ObjectNode> checkpoints(Map<String, String> hash, int steps) {
    var found = new TreeMap<Integer, ObjectNode>();
    for (int i = 0; i < steps; i++) {
      var field = WorkflowFields.after(i);
      if (hash.containsKey(field)) found.put(i, ExecutionRecords.object(hash, field));
    }
    return found;
  }

  public List<String> steps() {
    return created.steps();
  }

  /// The current step, from 0. A processor of another make may have counted beyond the last one.
  public int stepIndex() {
    var index = step.index();
    return index == null ? 0 : (int) Math.min(index, steps().size() - 1L);
  }

  public String stepName() {
    return steps().get(stepIndex());
  }

  public boolean isInLastStep() {
    return stepIndex() + 1 == steps().size();
  }

  public ObjectNode input() {
    var input = created.input();
    return input == null ? Json.object() : input;
  }

  /// The same with this step as the current one.
  Workflow at(int index) {
    var named =
        new CurrentStep(
            (long) index,
            steps().get(index),
            step.startedAt(),
            step.failures(),
            step.nextAttemptAt(),
            step.state());
    return with(status, named);
  }

  /// The same with what the step said when it last waited.
  public Workflow withState(ObjectNode state) {
    return with(status, step.withState(state));
  }

  Workflow with(ExecutionStatus next, CurrentStep current) {
    return new Workflow(
        created,
        bookkeeping,
        next,
        lives,
        startedAt,
        current,
        stepsCompleted,
        output,
        ending,
        checkpoints);
  }

  Workflow started(Instant at, long completed) {
    return new Workflow(
        created,
        bookkeeping,
        ExecutionStatus.PROCESSING,
        lives,
        at,
        step,
        completed,
        output,
        ending,
        checkpoints);
  }

  Workflow stepped(
      CurrentStep current, long completed, Output left, Map<Integer, ObjectNode> after) {
    return new Workflow(
        created, bookkeeping, status, lives, startedAt, current, completed, left, ending, after);
  }

  Workflow ended(ExecutionStatus how, CurrentStep last, Output left, Ending end) {
    return new Workflow(
        created,
        bookkeeping,
        how,
        lives,
        startedAt,
        last,
        stepsCompleted,
        left,
        end,
        how == ExecutionStatus.COMPLETED ? Map.of() : checkpoints);
  }

  @Override
  public Transition<Workflow> canceled(String reason, Instant now) {
    return WorkflowTransition.after(this, new WorkflowOutcome.Canceled(reason), now);
  }

  @Override
  public Transition<Workflow> unpublished(Instant now) {
    return WorkflowTransition.after(this, new WorkflowOutcome.Unpublished(), now);
  }

  /// The fields that differ from those of an earlier version.
  ExecutionChange since(Workflow before) {
    var change = new ExecutionChange();
    if (status != before.status) change.status(status);
    change.diff(STARTED_AT, before.startedAt, startedAt, ExecutionTime::encode);
    change.diff(STEPS_COMPLETED, before.stepsCompleted, stepsCompleted, String::valueOf);
    diff(before.step, step, change);
    diff(before.output, output, change);
    ending.diff(before.ending, change);
    for (int i = 0; i < steps().size(); i++) {
      var field = WorkflowFields.after(i);
      change.diff(field, before.checkpoints.get(i), checkpoints.get(i), Json::text);
    }
    return change;
  }

  private static void diff(CurrentStep before, CurrentStep after, ExecutionChange change) {
    change.diff(CURRENT_STEP_INDEX, before.index(), after.index(), String::valueOf);
    change.diff(CURRENT_STEP, before.name(), after.name(), name -> name);
    change.diff(STEP_STARTED_AT, before.startedAt(), after.startedAt(), ExecutionTime::encode);
    change.diff(
        NEXT_ATTEMPT_AT, before.nextAttemptAt(), after.nextAttemptAt(), ExecutionTime::encode);
    change.diff(STATE, before.state(), after.state(), Json::text);
    change.diff(TRIES, counted(before.failures()), counted(after.failures()), String::valueOf);
  }

  private static @Nullable Integer counted(int failures) {
    return failures == 0 ? null : failures;
  }

  private static void diff(Output before, Output after, ExecutionChange change) {
    change.diff(LEFT, before.last(), after.last(), Json::text);
    change.diff(TOTAL, before.total(), after.total(), String::valueOf);
    change.diff(FAILED, before.failed(), after.failed(), String::valueOf);
    if (!before.stored().equals(after.stored())) change.set(SHELF, Json.text(after.stored()));
  }
}

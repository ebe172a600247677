package io.tidemill.processor;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.api.StepCall;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at one step.
final class StepAttempt implements StepCall {
  private final Execution flow;
  private final Map<String, String> state;
  private final int index;
  private final ObjectNode options;
  private final Records input;
  private final StepRecords records;

  StepAttempt(
      Execution flow, Map<String, String> state, String step, int index, StepRecords records)
      throws Exception {
    this.flow = flow;
    this.state = state;
    this.index = index;
    this.records = records;
    var whole = ExecutionRecords.object(state, "input");
    options = StepOptions.of(whole, step, index).own();
    input =
        state.containsKey("left")
            ? records.decode(ExecutionRecords.object(state, "left"))
            : records.input(whole);
  }

  @Override
  public String workflowId() {
    return flow.id();
  }

  @Override
  public String workflowName() {
    return state.getOrDefault("name", "");
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public Instant startedAt() {
    return ExecutionTime.decode(state.getOrDefault("stepStartedAt", "")).orElse(Instant.EPOCH);
  }

  @Override
  public int failures() {
    return ExecutionRecords.number(state, "tries");
  }

  @Override
  public int life() {
    return ExecutionRecords.number(state, "lives");
  }

  @Override
  public ObjectNode options() {
    return options;
  }

  @Override
  public @Nullable ObjectNode state() {
    return state.containsKey("state") ? ExecutionRecords.object(state, "state") : null;
  }

  @Override
  public Records input() {
    return input;
  }

  @Override
  public RecordWriter output() {
    return records.writer(id());
  }

  @Override
  public void progress(double fraction, String message) {
    flow.progress(fraction, message, Json.object().put("stepIndex", index));
  }
}

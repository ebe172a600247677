package io.tidemill.processor;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.processor.api.StepCall;
import io.tidemill.processor.records.RecordWriter;
import io.tidemill.processor.records.Records;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at one step.
final class StepRun implements StepCall {
  private final RunningFlow flow;
  private final Map<String, String> state;
  private final int index;
  private final ObjectNode options;
  private final Records input;
  private final StepRecords records;

  StepRun(RunningFlow flow, Map<String, String> state, String step, int index, StepRecords records)
      throws Exception {
    this.flow = flow;
    this.state = state;
    this.index = index;
    this.records = records;
    var whole = FlowRecords.object(state, "input");
    options = StepOptions.of(whole, step, index).own();
    input =
        state.containsKey("left")
            ? records.decode(FlowRecords.object(state, "left"))
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
    return FlowTime.decode(state.getOrDefault("stepStartedAt", "")).orElse(Instant.EPOCH);
  }

  @Override
  public int failures() {
    return FlowRecords.number(state, "tries");
  }

  @Override
  public int life() {
    return FlowRecords.number(state, "lives");
  }

  @Override
  public ObjectNode options() {
    return options;
  }

  @Override
  public @Nullable ObjectNode state() {
    return state.containsKey("state") ? FlowRecords.object(state, "state") : null;
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

package io.tidemill.processor;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.api.StepCall;
import io.tidemill.json.Json;
import io.tidemill.workflow.Workflow;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One attempt at one step, as the step sees it.
final class StepContext implements StepCall {
  private final Execution execution;
  private final Workflow workflow;
  private final StepRecords records;
  private final ObjectNode options;
  private final Records input;

  StepContext(Execution execution, Workflow workflow, StepRecords records) throws Exception {
    this.execution = execution;
    this.workflow = workflow;
    this.records = records;
    options = StepOptions.of(workflow.input(), workflow.stepName(), index()).own();
    var left = workflow.output().last();
    input = left == null ? records.input(workflow.input()) : records.decode(left);
  }

  @Override
  public String workflowId() {
    return execution.id();
  }

  @Override
  public String workflowName() {
    return workflow.created().name();
  }

  @Override
  public int index() {
    return workflow.stepIndex();
  }

  @Override
  public Instant startedAt() {
    var startedAt = workflow.step().startedAt();
    return startedAt == null ? Instant.EPOCH : startedAt;
  }

  @Override
  public int failures() {
    return workflow.step().failures();
  }

  @Override
  public int life() {
    return workflow.lives();
  }

  @Override
  public ObjectNode options() {
    return options;
  }

  @Override
  public @Nullable ObjectNode state() {
    return workflow.step().state();
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
    execution.progress(fraction, message, Json.object().put("stepIndex", index()));
  }
}

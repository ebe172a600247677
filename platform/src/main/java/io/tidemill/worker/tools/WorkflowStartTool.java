package io.tidemill.worker.tools;

import io.tidemill.broker.kafka.KafkaException;
import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowEvent.WorkflowCreated;
import io.tidemill.contract.flow.FlowForms;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.flow.FlowStarts;
import io.tidemill.store.redis.FlowStore.Created;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.worker.JobCall;
import io.tidemill.worker.JobFailure;
import io.tidemill.worker.Tool;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Starts a workflow as `POST /api/workflows` does (C3.11, C2.4); a job that is delivered again
/// starts no second one.
public final class WorkflowStartTool implements Tool {
  private static final ObjectNode SCHEMA =
      Arguments.schema(
          """
          {"name": {"type": "string", "minLength": 3, "maxLength": 100, "description": "What to call it."},
           "steps": {"type": "array", "minItems": 1, "maxItems": 50, "items": {"type": "string", "minLength": 1, "maxLength": 100},
             "description": "What to do, in order: crawl, validate, transform, analyze, store, index, export, notify, or steps of plugins."},
           "priority": {"type": "string", "enum": ["low", "medium", "high"]},
           "input": {"type": "object", "description": "The records to work on and, by the step's name, the options of each step; such as {\\"crawl\\":{\\"url\\":\\"https://example.com\\"}}."}}
          """,
          "name",
          "steps");

  private final @Nullable FlowStarts starts;
  private final FlowsConfig config;
  private final InstantSource clock;

  /// @param starts null when there is no Kafka to hand workflows to
  public WorkflowStartTool(@Nullable FlowStarts starts, FlowsConfig config, InstantSource clock) {
    this.starts = starts;
    this.config = config;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "workflow.start";
  }

  @Override
  public String description() {
    return "Starts a workflow of steps over records and returns its id at once; workflow.status tells"
        + " how it goes.";
  }

  @Override
  public ObjectNode schema() {
    return SCHEMA.deepCopy();
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var here = starts;
    if (here == null) throw NotSet.kafka(name());
    var workflow = workflow(arguments, job);
    try {
      if (here.start(workflow) instanceof Created.Full(var waiting)) {
        throw new JobFailure(
            "TOO_MANY_WORKFLOWS", waiting + " workflows wait, as many as flows.max-waiting allows");
      }
    } catch (KafkaException refused) {
      throw Starting.refused("the workflow", refused);
    }
    return Json.object()
        .put("workflowId", workflow.workflowId())
        .put("status", FlowStatus.PENDING.wire());
  }

  private WorkflowCreated workflow(JsonNode arguments, JobCall job) throws JobFailure {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var form = Arguments.decoded(FlowForms.workflow(Json.bytes(arguments), now));
    var input = form.input();
    var size = input == null ? 0 : Json.bytes(input).length;
    if (size > config.maxInput().bytes()) {
      throw Arguments.wrong(
          "input has %d bytes as compact JSON, %d at most"
              .formatted(size, config.maxInput().bytes()));
    }
    return new WorkflowCreated(
        "wf-" + Starting.id(this, job),
        form.name(),
        form.steps(),
        form.priority(),
        form.createdAt(),
        input);
  }
}

package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.workflow.ExecutionStart;
import io.tidemill.workflow.ExecutionStarter;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Starts a workflow as `POST /api/workflows` does (C3.11, C2.4); a job that is delivered again
/// starts no second one.
public final class WorkflowStartTool extends BuiltInTool {
  private static final ObjectNode SCHEMA =
      ToolArguments.schema(
          """
          {"name": {"type": "string", "minLength": 3, "maxLength": 100, "description": "What to call it."},
           "steps": {"type": "array", "minItems": 1, "maxItems": 50, "items": {"type": "string", "minLength": 1, "maxLength": 100},
             "description": "What to do, in order: crawl, validate, transform, analyze, store, index, export, notify, or steps of plugins."},
           "priority": {"type": "string", "enum": ["low", "medium", "high"]},
           "input": {"type": "object", "description": "The records to work on and, by the step's name, the options of each step; such as {\\"crawl\\":{\\"url\\":\\"https://example.com\\"}}."}}
          """,
          "name",
          "steps");

  private final @Nullable ExecutionStarter starter;
  private final InstantSource clock;

  /// @param starter null when Kafka is not configured
  public WorkflowStartTool(@Nullable ExecutionStarter starter, InstantSource clock) {
    super(
        "workflow.start",
        false,
        "Starts a workflow of steps over records and returns its id at once; workflow.status tells"
            + " how it goes.",
        SCHEMA);
    this.starter = starter;
    this.clock = clock;
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var configured = starter;
    if (configured == null) throw KafkaStart.notConfigured(this);
    var workflow = workflow(arguments, job);
    return switch (configured.start(workflow)) {
      case ExecutionStart.Accepted(var id) -> started(id);
      case ExecutionStart.Repeated(var id) -> started(id);
      case ExecutionStart.InputTooLarge large -> throw ToolArguments.wrong(large.why());
      case ExecutionStart.QueueFull(var waiting, var _, var _) ->
          throw new JobFailure(
              "TOO_MANY_WORKFLOWS",
              waiting + " workflows wait, as many as flows.max-waiting allows");
      case ExecutionStart.EventTooLarge(var refused) ->
          throw KafkaStart.refused("the workflow", refused);
      case ExecutionStart.NotPublished(var refused, var _) ->
          throw KafkaStart.refused("the workflow", refused);
    };
  }

  private static JsonNode started(String id) {
    return Json.object().put("workflowId", id).put("status", ExecutionStatus.PENDING.wire());
  }

  private WorkflowCreated workflow(JsonNode arguments, JobCall job) throws JobFailure {
    var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    var form = ToolArguments.decoded(ExecutionForms.workflow(Json.bytes(arguments), now));
    return new WorkflowCreated(
        "wf-" + KafkaStart.id(this, job),
        form.name(),
        form.steps(),
        form.priority(),
        form.createdAt(),
        form.input());
  }
}

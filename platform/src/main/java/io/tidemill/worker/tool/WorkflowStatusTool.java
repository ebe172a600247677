package io.tidemill.worker.tool;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.workflow.ExecutionStore;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Returns the status of a workflow as `GET /api/workflows/{id}` does, without its input (C3.11,
/// C2.4).
public final class WorkflowStatusTool extends BuiltInTool {
  private static final ObjectNode SCHEMA =
      ToolArguments.schema(
          """
          {"id": {"type": "string", "minLength": 1, "maxLength": 500, "description": "The workflow's id."},
           "results": {"type": "boolean", "description": "Whether to return what each step returned, too, which can be long."}}
          """,
          "id");

  private final ExecutionStore workflows;

  public WorkflowStatusTool(ExecutionStore workflows) {
    super(
        "workflow.status",
        true,
        "Tells how a workflow stands: status (pending, processing, completed, failed, canceled),"
            + " the step it is at, times, summary and error; on demand the results of its steps.",
        SCHEMA);
    this.workflows = workflows;
  }

  @Override
  public JsonNode call(JsonNode arguments, JobCall job) throws Exception {
    var given = new ToolArguments(arguments);
    var id = given.text("id");
    if (!ExecutionNames.isId(id)) throw ToolArguments.wrong("id: expected the id of a workflow");
    var record =
        workflows
            .find(id)
            .orElseThrow(() -> new JobFailure("UNKNOWN_WORKFLOW", "there is no such workflow"));
    var view = ExecutionRecords.workflow(record);
    view.remove("input");
    if (!given.flag("results")) view.remove("results");
    return view;
  }
}

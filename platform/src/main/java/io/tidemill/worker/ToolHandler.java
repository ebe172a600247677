package io.tidemill.worker;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.JobHandler;
import io.tidemill.api.Tool;
import io.tidemill.contract.job.ToolCodec;
import io.tidemill.contract.job.ToolSpec;
import io.tidemill.json.Json;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/// The task `tool`: calls the tool that the payload names, `{"name":…,"arguments":{…}}`, when the
/// arguments fit its schema (C3.11).
public final class ToolHandler implements JobHandler {
  private record Checked(Tool tool, ToolSpec spec, ToolSchema schema) {}

  private static final List<String> FIELDS = List.of("name", "arguments");

  private final Map<String, Checked> tools = new TreeMap<>();

  /// @param tools the last one of a name counts
  /// @throws IllegalArgumentException that names a tool which can't be offered
  ToolHandler(Iterable<? extends Tool> tools) {
    var byName = new TreeMap<String, Tool>();
    for (var tool : tools) byName.put(tool.name(), tool);
    byName.forEach((name, tool) -> this.tools.put(name, checked(name, tool)));
  }

  private static Checked checked(String name, Tool tool) {
    if (!ToolCodec.isName(name)) {
      throw new IllegalArgumentException(
          "%s: a tool's name must have 1 to 128 plain characters"
              .formatted(tool.getClass().getName()));
    }
    var spec = new ToolSpec(name, tool.description(), tool.schema(), tool.isReadOnly());
    var schema = new ToolSchema(name, spec.inputSchema());
    if (!isOurs(tool)) schema.check();
    return new Checked(tool, spec, schema);
  }

  // A test checks ours: another check at every start would load the library for it.
  private static boolean isOurs(Tool tool) {
    return tool.getClass().getPackageName().equals(ToolHandler.class.getPackageName() + ".tool");
  }

  @Override
  public String task() {
    return "tool";
  }

  /// The tools, as the worker announces them.
  List<ToolSpec> tools() {
    return tools.values().stream().map(Checked::spec).toList();
  }

  @Override
  public JsonNode handle(JobCall job) throws Exception {
    refuseUnknown(job.payload());
    var name = job.payload().path("name");
    if (!name.isString())
      throw new JobFailure("BAD_PAYLOAD", "payload.name must name a tool: " + known());
    var found = tools.get(name.stringValue());
    if (found == null) {
      throw new JobFailure("UNKNOWN_TOOL", "there is no tool of that name; there are: " + known());
    }
    var arguments = job.payload().path("arguments");
    if (!arguments.isMissingNode() && !arguments.isObject()) {
      throw new JobFailure("BAD_PAYLOAD", "payload.arguments must be a JSON object");
    }
    var given = arguments.isObject() ? arguments : Json.object();
    var fault = found.schema().fault(given);
    if (fault.isPresent()) throw new JobFailure("BAD_ARGUMENTS", fault.get());
    return Traces.part(
        SpanKind.JOB, "tool", name.stringValue(), () -> found.tool().call(given, job));
  }

  // A misspelled `arguments` would be a call without any.
  private static void refuseUnknown(JsonNode payload) throws JobFailure {
    for (var field : payload.propertyNames()) {
      if (FIELDS.contains(field)) continue;
      var shown = field.length() <= 40 ? field : field.substring(0, 40) + "…";
      throw new JobFailure(
          "BAD_PAYLOAD",
          "payload.%s is not known: expected %s".formatted(shown, String.join(", ", FIELDS)));
    }
  }

  private String known() {
    return String.join(", ", tools.keySet());
  }
}

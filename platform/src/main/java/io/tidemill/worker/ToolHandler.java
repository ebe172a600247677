package io.tidemill.worker;

import io.tidemill.contract.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The task `tool`: calls the tool that the payload names, `{"name":…,"arguments":{…}}`.
public final class ToolHandler implements JobHandler {
  private final Map<String, Tool> tools;

  ToolHandler(Iterable<Tool> tools) {
    this.tools =
        java.util.stream.StreamSupport.stream(tools.spliterator(), false)
            .collect(
                Collectors.toMap(Tool::name, Function.identity(), (_, last) -> last, TreeMap::new));
  }

  @Override
  public String task() {
    return "tool";
  }

  @Override
  public JsonNode handle(JobCall job) throws Exception {
    var name = job.payload().path("name");
    if (!name.isString())
      throw new JobFailure("BAD_PAYLOAD", "payload.name must name a tool: " + known());
    var tool = tools.get(name.stringValue());
    if (tool == null) {
      throw new JobFailure("UNKNOWN_TOOL", "there is no tool of that name; there are: " + known());
    }
    var arguments = job.payload().path("arguments");
    if (!arguments.isMissingNode() && !arguments.isObject()) {
      throw new JobFailure("BAD_PAYLOAD", "payload.arguments must be a JSON object");
    }
    return tool.call(arguments.isObject() ? arguments : Json.object(), job);
  }

  private String known() {
    return String.join(", ", tools.keySet());
  }
}

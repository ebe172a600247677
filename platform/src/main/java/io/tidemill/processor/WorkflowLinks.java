package io.tidemill.processor;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.http.PublicUrl;
import io.tidemill.json.Json;
import io.tidemill.processor.mail.NotifyStep;
import io.tidemill.workflow.ExecutionStore;
import java.net.URLEncoder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Links that notices of a workflow carry: its page in the dashboard, and the files that its steps
/// have left so far.
record WorkflowLinks(ExecutionStore workflows, PublicUrl gateway) implements NotifyStep.Links {
  @Override
  public ObjectNode of(String workflowId) {
    var links = Json.object();
    if (gateway.isKnown()) {
      var id = URLEncoder.encode(workflowId, UTF_8).replace("+", "%20");
      links.put("link", gateway.of("/#/workflows/" + id));
    }
    var files = Json.object().putArray("files");
    workflows
        .find(workflowId)
        .map(ExecutionRecords::workflow)
        .ifPresent(workflow -> workflow.path("results").forEach(step -> add(step, files)));
    if (!files.isEmpty()) links.set("files", files);
    return links;
  }

  private static void add(JsonNode step, ArrayNode files) {
    var result = step.path("result");
    var object = result.path("object").asString("");
    var url = result.path("url").asString("");
    if (object.isEmpty() || url.isEmpty()) return;
    files
        .addObject()
        .put("step", step.path("stepName").asString(""))
        .put("name", object.substring(object.lastIndexOf('/') + 1))
        .put("url", url);
  }
}

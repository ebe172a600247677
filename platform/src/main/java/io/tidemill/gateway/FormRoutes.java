package io.tidemill.gateway;

import io.tidemill.contract.workflow.StepForm;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.http.Routes;
import io.tidemill.json.Json;
import io.tidemill.schema.TaskSchemas;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/// Steps and task types, for forms: `/api/forms`.
///
/// Steps and types of plug-ins are not described; a type that settings name is listed without
/// schema.
public final class FormRoutes implements Routes {
  private final Set<String> taskTypes;

  /// @param taskTypes those that can be submitted
  public FormRoutes(Set<String> taskTypes) {
    this.taskTypes = new TreeSet<>(taskTypes);
  }

  @Override
  public List<Route> routes() {
    return List.of(Route.get("/api/forms", this::show));
  }

  /// `GET /api/forms`
  Response show(Request request) {
    var answer = Json.object();
    var steps = answer.putArray("steps");
    for (var step : StepForms.ALL) steps.add(step(step));
    var sources = answer.putArray("sources");
    new TreeSet<>(StepForms.SOURCES).forEach(sources::add);
    var tasks = answer.putArray("tasks");
    for (var type : taskTypes) {
      var task = tasks.addObject().put("type", type);
      task.set("schema", TaskSchemas.of(type)); // null for types of plug-ins
    }
    return Response.ok(answer);
  }

  private static ObjectNode step(StepForm step) {
    var form = Json.object().put("name", step.name()).put("does", step.does());
    var options = form.putArray("options");
    step.options()
        .forEach((name, about) -> options.addObject().put("name", name).put("about", about));
    return form;
  }
}

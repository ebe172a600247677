package io.tidemill.gateway.workflow;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the gateway that contract C2 comes from checks in a form, in its words.
final class OriginalForm {
  private static final int SHORTEST_NAME = 3;
  private static final int LONGEST_NAME = 100;
  private static final int MOST_STEPS = 10;

  /// One thing that is wrong.
  record Fault(String field, String message) {}

  private final ExecutionKind kind;
  private final String types;
  private final Set<String> taskTypes;

  /// @param taskTypes those that a processor can run
  OriginalForm(ExecutionKind kind, Set<String> taskTypes) {
    this.kind = kind;
    this.taskTypes = Set.copyOf(taskTypes);
    this.types = names(taskTypes);
  }

  // Those of the contract first, in its order.
  private static String names(Set<String> taskTypes) {
    var names = new ArrayList<>(List.of("email_notification", "data_export", "report_generation"));
    new TreeSet<>(taskTypes).stream().filter(type -> !names.contains(type)).forEach(names::add);
    return String.join(", ", names);
  }

  /// Everything that is wrong; empty when the form can be taken.
  List<Fault> faults(JsonNode form) {
    var faults = new ArrayList<Fault>();
    switch (kind) {
      case WORKFLOW -> checkWorkflow(form, faults);
      case TASK -> checkTask(form, faults);
    }
    return faults;
  }

  private static void checkWorkflow(JsonNode form, List<Fault> faults) {
    var name = form.path("name");
    if (!isText(name)) {
      faults.add(new Fault("name", "name is required and must be a string"));
    } else if (!isWithin(name.stringValue().length(), SHORTEST_NAME, LONGEST_NAME)) {
      faults.add(new Fault("name", "name must be between 3 and 100 characters"));
    }
    var steps = form.path("steps");
    if (!steps.isArray()) {
      faults.add(new Fault("steps", "steps is required and must be an array"));
    } else if (!isWithin(steps.size(), 1, MOST_STEPS)) {
      faults.add(new Fault("steps", "steps must contain between 1 and 10 items"));
    } else if (!steps.valueStream().allMatch(JsonNode::isString)) {
      faults.add(new Fault("steps", "all steps must be strings"));
    }
    var priority = form.path("priority");
    if (!isNothing(priority) && Priority.of(priority.asString("")).isEmpty()) {
      faults.add(new Fault("priority", "priority must be one of: low, medium, high"));
    }
  }

  private void checkTask(JsonNode form, List<Fault> faults) {
    var type = form.path("type");
    if (!isText(type)) {
      faults.add(new Fault("type", "type is required and must be a string"));
    } else if (!taskTypes.contains(type.stringValue())) {
      faults.add(new Fault("type", "type must be one of: " + types));
    }
    if (!form.path("data").isObject()) {
      faults.add(new Fault("data", "data is required and must be an object"));
    }
  }

  private static boolean isText(JsonNode node) {
    return node.isString() && !node.stringValue().isEmpty();
  }

  private static boolean isNothing(JsonNode node) {
    return node.isMissingNode() || node.isNull() || (node.isString() && !isText(node));
  }

  private static boolean isWithin(int number, int least, int most) {
    return number >= least && number <= most;
  }

  /// The form without what it ignores: fields it does not know, a priority that is empty.
  byte[] known(JsonNode form) {
    var known = ((ObjectNode) form).deepCopy();
    switch (kind) {
      case WORKFLOW -> known.retain("name", "steps", "priority", "input");
      case TASK -> known.retain("type", "data", "maxRetries");
    }
    if (isNothing(known.path("priority"))) known.remove("priority");
    return Json.bytes(known);
  }
}

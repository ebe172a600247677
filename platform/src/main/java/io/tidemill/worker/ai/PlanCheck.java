package io.tidemill.worker.ai;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionForms;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// Finds the workflow in a model's answer and checks it as the gateway and the processor would.
final class PlanCheck {
  /// The answer has no valid workflow; the message says why.
  static final class Invalid extends Exception {
    // Fits into a job event (C3.12), even if a payload has thousands of steps.
    private static final int LONGEST = 8_000;

    Invalid(String why) {
      super(why.length() > LONGEST ? why.substring(0, LONGEST) + " …" : why);
    }
  }

  private static final Set<String> FIELDS = Set.of("name", "priority", "steps", "input");

  private final Set<String> others;

  /// @param others steps beside ours
  PlanCheck(Set<String> others) {
    this.others = Set.copyOf(others);
  }

  ObjectNode workflow(String answer) throws Invalid {
    var found = JsonInText.objects(answer).filter(PlanCheck::isWorkflow).findFirst();
    if (found.isEmpty()) throw new Invalid("there is no JSON object with steps in the answer");
    var workflow = found.get();
    for (var name : workflow.propertyNames()) {
      if (!FIELDS.contains(name)) {
        throw new Invalid(
            StepForms.shown(name) + " is not known: expected name, priority, steps, input");
      }
    }
    switch (ExecutionForms.workflow(Json.bytes(workflow), Instant.EPOCH)) {
      case Decoded.Unreadable(var why) -> throw new Invalid(why);
      case Decoded.Malformed(var why) -> throw new Invalid(why);
      case Decoded.Message(var created) -> {
        var input = created.input() == null ? Json.object() : created.input();
        var fault = StepForms.fault(created.steps(), input, others);
        if (fault.isPresent()) throw new Invalid(fault.get());
      }
    }
    return workflow;
  }

  private static boolean isWorkflow(ObjectNode object) {
    return object.has("steps");
  }
}

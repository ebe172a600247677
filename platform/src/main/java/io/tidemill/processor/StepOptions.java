package io.tidemill.processor;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigValueFactory;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What a workflow's `input` says for one of its steps.
record StepOptions(ObjectNode values) {
  /// The options of the step at this place, `2.transform`, before those of all steps of its name.
  static StepOptions of(ObjectNode input, String step, int index) throws WorkFailure {
    var here = index + "." + step;
    if (input.hasNonNull(here)) return new StepOptions(object(input, here));
    // A text under the name of a source says where the records are.
    var isForStep = input.path(step).isObject() || !StepForms.SOURCES.contains(step);
    return new StepOptions(
        isForStep && input.hasNonNull(step) ? object(input, step) : Json.object());
  }

  private static ObjectNode object(ObjectNode input, String name) throws WorkFailure {
    if (input.get(name) instanceof ObjectNode object) return object;
    throw WorkFailure.permanent(
        "INVALID_OPTIONS", "%s must be an object: the options of the step".formatted(name));
  }

  /// The options for the step itself; the time limit is for the engine.
  ObjectNode own() {
    var own = values.deepCopy();
    own.remove(StepForms.TIMEOUT);
    return own;
  }

  /// The step's own time limit.
  Optional<Duration> timeout() throws WorkFailure {
    var value = values.get(StepForms.TIMEOUT);
    if (value == null || value.isNull()) return Optional.empty();
    try {
      var text = value.isNumber() ? value.asString() + "s" : value.asString();
      var limit = ConfigValueFactory.fromAnyRef(text).atKey("v").getDuration("v");
      if (limit.isPositive()) return Optional.of(limit);
    } catch (ConfigException notADuration) {
      // Thrown below.
    }
    throw WorkFailure.permanent(
        "INVALID_INPUT", "timeout is '%s': expected a duration such as 30s".formatted(value));
  }
}

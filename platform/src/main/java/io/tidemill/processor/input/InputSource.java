package io.tidemill.processor.input;

import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One place that records come from.
public interface InputSource {
  /// The records, not read yet.
  ///
  /// @param value of the field that names this source
  /// @param input the whole input, for further options
  /// @throws WorkFailure permanent, with the field's name, when the value is invalid
  Records records(JsonNode value, ObjectNode input) throws WorkFailure;

  /// The further options that may stand beside the source's name.
  default Set<String> options() {
    return Set.of();
  }

  /// Whether a value under the source's name is meant for it.
  default boolean isNamedBy(JsonNode value) {
    return true;
  }
}

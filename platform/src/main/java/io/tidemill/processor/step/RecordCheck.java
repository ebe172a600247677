package io.tidemill.processor.step;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// What a record must be.
interface RecordCheck {
  /// No one needs more reasons than these.
  int MOST_REASONS = 10;

  /// Why the record is not valid; none = it is.
  List<String> faults(JsonNode record);
}

package io.tidemill.processor.step;

import java.util.List;
import tools.jackson.databind.JsonNode;

/// A validation of records.
interface RecordCheck {
  /// The most reasons that are reported for a record.
  int MOST_REASONS = 10;

  /// The reasons why the record is invalid; none = it is valid.
  List<String> faults(JsonNode record);
}

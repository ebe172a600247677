package io.tidemill.processor;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import java.io.IOException;
import tools.jackson.databind.node.ObjectNode;

/// Where the records of workflows come from and are kept between two steps.
public interface StepRecords {
  /// What a workflow's `input` names.
  Records input(ObjectNode input) throws Exception;

  /// Takes records for the next step.
  ///
  /// @param id the same on every attempt: writing again replaces
  RecordWriter writer(String id);

  /// What a step left, in a form that outlives this process.
  ///
  /// @param id where to put records that are nowhere yet
  ObjectNode encode(String id, Records records) throws IOException;

  /// What [#encode] wrote.
  Records decode(ObjectNode kept);

  /// Removes what was kept for a workflow that has ended.
  void forget(ObjectNode kept);
}

package io.tidemill.processor.export;

import io.tidemill.processor.api.KnownFields;
import io.tidemill.processor.api.TaskCall;
import io.tidemill.processor.api.TaskType;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.processor.export.Exporter.Wish;
import io.tidemill.processor.inputs.Inputs;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// `data_export` (C2.9): crawls, search results, analytics and records as a file in the object
/// store.
public final class DataExportTask implements TaskType {
  private static final KnownFields FIELDS =
      new KnownFields(Inputs.INVALID, "data_export: field", Set.of("source", "format", "name"));

  private final Inputs inputs;
  private final Exporter exporter;

  public DataExportTask(Inputs inputs, Exporter exporter) {
    this.inputs = inputs;
    this.exporter = exporter;
  }

  @Override
  public String name() {
    return "data_export";
  }

  @Override
  public ObjectNode run(TaskCall call) throws WorkFailure, InterruptedException {
    FIELDS.check(call.data());
    var wish = Wish.of(call.data(), Inputs.INVALID);
    if (!(call.data().get("source") instanceof ObjectNode source)) {
      throw WorkFailure.permanent(
          Inputs.INVALID, "source must be an object that names where the records are");
    }
    var records = inputs.required(source);
    call.progress(0.1, "writing " + wish.format().wire());
    return exporter.export(call.id(), records, wish);
  }
}

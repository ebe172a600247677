package io.tidemill.processor.export;

import io.tidemill.api.TaskCall;
import io.tidemill.api.TaskType;
import io.tidemill.api.WorkFailure;
import io.tidemill.processor.export.RecordExporter.ExportOptions;
import io.tidemill.processor.input.InputSources;
import io.tidemill.processor.option.KnownFields;
import io.tidemill.processor.record.FileOwner;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// `data_export` (C2.9): crawls, search results, analytics and records as a file in the object
/// store.
public record DataExportTask(InputSources inputs, RecordExporter exporter) implements TaskType {
  private static final KnownFields FIELDS =
      new KnownFields(
          InputSources.INVALID, "data_export: field", Set.of("source", "format", "name"));

  @Override
  public String name() {
    return "data_export";
  }

  @Override
  public ObjectNode run(TaskCall call) throws WorkFailure, InterruptedException {
    FIELDS.check(call.data());
    var options = ExportOptions.of(call.data(), InputSources.INVALID);
    if (!(call.data().get("source") instanceof ObjectNode source)) {
      throw WorkFailure.permanent(
          InputSources.INVALID, "source must be an object that names where the records are");
    }
    var records = inputs.required(source);
    call.progress(0.1, "writing " + options.format().wire());
    return exporter.export(FileOwner.task(call.id()), records, options);
  }
}

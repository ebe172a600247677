package io.tidemill.processor.export;

import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.StepOutcome.Done;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.processor.export.RecordExporter.ExportOptions;
import io.tidemill.processor.option.KnownFields;
import io.tidemill.processor.record.FileOwner;
import tools.jackson.databind.node.ObjectNode;

/// `export` (C2.8): writes the records into a file in the object store and passes them on.
public record ExportStep(RecordExporter exporter) implements Step {
  private static final KnownFields OPTIONS =
      new KnownFields(RecordExporter.OPTIONS, "export: option", StepForms.EXPORT.optionNames());

  @Override
  public String name() {
    return "export";
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    exportOptions(options);
  }

  private static ExportOptions exportOptions(ObjectNode options) throws WorkFailure {
    OPTIONS.check(options);
    return ExportOptions.of(options, RecordExporter.OPTIONS);
  }

  @Override
  public StepOutcome run(StepCall call) throws WorkFailure, InterruptedException {
    var result = exporter.export(FileOwner.step(call), call.input(), exportOptions(call.options()));
    return new Done(result, call.input(), Counts.all(result.path("records").asLong()));
  }
}

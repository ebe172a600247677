package io.tidemill.processor.export;

import io.tidemill.contract.flow.StepForms;
import io.tidemill.processor.api.KnownFields;
import io.tidemill.processor.api.Step;
import io.tidemill.processor.api.StepCall;
import io.tidemill.processor.api.StepOutcome;
import io.tidemill.processor.api.StepOutcome.Counts;
import io.tidemill.processor.api.StepOutcome.Done;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.processor.export.Exporter.Wish;
import tools.jackson.databind.node.ObjectNode;

/// `export` (C2.8): writes the records into a file in the object store and passes them on.
public final class ExportStep implements Step {
  private static final KnownFields OPTIONS =
      new KnownFields(Exporter.OPTIONS, "export: option", StepForms.EXPORT.optionNames());

  private final Exporter exporter;

  public ExportStep(Exporter exporter) {
    this.exporter = exporter;
  }

  @Override
  public String name() {
    return "export";
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    wish(options);
  }

  private static Wish wish(ObjectNode options) throws WorkFailure {
    OPTIONS.check(options);
    return Wish.of(options, Exporter.OPTIONS);
  }

  @Override
  public StepOutcome run(StepCall call) throws WorkFailure, InterruptedException {
    var result = exporter.export(call.id(), call.input(), wish(call.options()));
    return new Done(result, call.input(), Counts.all(result.path("records").asLong()));
  }
}

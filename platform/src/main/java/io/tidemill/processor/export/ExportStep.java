package io.tidemill.processor.export;

import io.tidemill.processor.api.KnownFields;
import io.tidemill.processor.api.Step;
import io.tidemill.processor.api.StepCall;
import io.tidemill.processor.api.StepOutcome;
import io.tidemill.processor.api.StepOutcome.Counts;
import io.tidemill.processor.api.StepOutcome.Done;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.processor.export.Exporter.Wish;
import java.util.Set;

/// `export` (C2.8): writes the records into a file in the object store and passes them on.
public final class ExportStep implements Step {
  private static final KnownFields OPTIONS =
      new KnownFields(Exporter.OPTIONS, "export: option", Set.of("format", "name"));

  private final Exporter exporter;

  public ExportStep(Exporter exporter) {
    this.exporter = exporter;
  }

  @Override
  public String name() {
    return "export";
  }

  @Override
  public StepOutcome run(StepCall call) throws WorkFailure, InterruptedException {
    OPTIONS.check(call.options());
    var result =
        exporter.export(call.id(), call.input(), Wish.of(call.options(), Exporter.OPTIONS));
    return new Done(result, call.input(), Counts.all(result.path("records").asLong()));
  }
}

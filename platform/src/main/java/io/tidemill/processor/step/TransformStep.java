package io.tidemill.processor.step;

import io.tidemill.api.RecordWriter;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import io.tidemill.processor.expression.JsonataExpression;
import io.tidemill.processor.expression.RecordTransform;
import io.tidemill.processor.option.OptionReader;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes new records of old ones, as its options declare (C2.8).
public record TransformStep(RejectStore rejects) implements Step {
  /// The contract's code for a record or an expression that does not work.
  public static final String ERROR = JsonataExpression.ERROR;

  @Override
  public String name() {
    return "transform";
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    var known = OptionReader.of(StepForms.TRANSFORM, options);
    skips(known);
    RecordTransform.of(known);
  }

  private static boolean skips(OptionReader options) throws WorkFailure {
    return options.oneOf("onError", "fail", List.of("fail", "skip")).equals("skip");
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    var options = OptionReader.of(StepForms.TRANSFORM, call.options());
    var skips = skips(options);
    var transform = RecordTransform.of(options);
    var written = new long[2];
    try (var rejected = rejects.open(call);
        var output = call.output()) {
      var total =
          RecordPass.over(
              call,
              (record, position) -> {
                try {
                  var made = transform.of(record);
                  if (made.isEmpty()) written[1]++;
                  written[0] += write(made, output);
                } catch (JsonataExpression.Failed failed) {
                  if (Thread.currentThread().isInterrupted()) throw new InterruptedException();
                  if (!skips) throw bad(position, failed);
                  rejected.add(position, record, List.of(String.valueOf(failed.getMessage())));
                }
              });
      var failed = rejected.count();
      var result =
          Json.object()
              .put("recordsProcessed", total)
              .put("recordsWritten", written[0])
              .put("recordsDropped", written[1])
              .put("recordsFailed", failed);
      rejected.addTo(result, "failed");
      return new StepOutcome.Done(
          result, output.finish(), new Counts(total, total - failed, failed));
    }
  }

  private static long write(List<JsonNode> made, RecordWriter output) throws IOException {
    for (var record : made) output.write(record);
    return made.size();
  }

  // The contract's own sentence, and then why.
  private static WorkFailure bad(long position, JsonataExpression.Failed failed) {
    return WorkFailure.permanent(
        ERROR, "Invalid data format in record %d: %s".formatted(position, failed.getMessage()));
  }
}

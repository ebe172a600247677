package io.tidemill.processor.step;

import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import io.tidemill.processor.option.OptionReader;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Passes valid records on, and rejects the others with the reasons (C2.8).
public record ValidateStep(RejectStore rejects) implements Step {
  /// The error code when more records are invalid than allowed.
  public static final String FAILED = "VALIDATION_FAILED";

  @Override
  public String name() {
    return "validate";
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    var known = OptionReader.of(StepForms.VALIDATE, options);
    checks(known);
    most(known);
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    var options = OptionReader.of(StepForms.VALIDATE, call.options());
    var checks = checks(options);
    var most = most(options);
    try (var rejected = rejects.open(call);
        var output = call.output()) {
      var total =
          RecordPass.over(
              call,
              (record, position) -> {
                var faults = faults(checks, record);
                // An interrupted check says nothing about the record.
                if (Thread.interrupted()) throw new InterruptedException();
                if (faults.isEmpty()) output.write(record);
                else reject(rejected, position, record, faults, most);
              });
      var valid = total - rejected.count();
      var result =
          Json.object()
              .put("recordsProcessed", total)
              .put("validRecords", valid)
              .put("invalidRecords", rejected.count());
      rejected.addTo(result, "invalid");
      return new StepOutcome.Done(
          result, output.finish(), new Counts(total, valid, rejected.count()));
    }
  }

  private static List<RecordCheck> checks(OptionReader options) throws WorkFailure {
    var checks = new ArrayList<RecordCheck>();
    var schema = options.get("schema");
    if (schema != null) checks.add(SchemaCheck.of(schema));
    var rules = options.object("rules");
    if (rules != null) checks.add(FieldRules.of(rules));
    // The default check: later steps rely on objects.
    if (schema == null) checks.addFirst(ValidateStep::notAnObject);
    return checks;
  }

  private static long most(OptionReader options) throws WorkFailure {
    return options.flag("failOnInvalid")
        ? 0
        : options.number("maxInvalid", Long.MAX_VALUE, 0, Long.MAX_VALUE);
  }

  private static List<String> notAnObject(JsonNode record) {
    return record.isObject() ? List.of() : List.of("the record must be a JSON object");
  }

  private static List<String> faults(List<RecordCheck> checks, JsonNode record) {
    var faults = new ArrayList<String>();
    for (var check : checks) faults.addAll(check.faults(record));
    return faults;
  }

  private static void reject(
      RejectedRecords rejects, long position, JsonNode record, List<String> faults, long most)
      throws Exception {
    rejects.add(position, record, faults);
    if (rejects.count() <= most) return;
    throw WorkFailure.permanent(
        FAILED,
        "%d invalid records are more than the %d allowed; record %d: %s"
            .formatted(rejects.count(), most, position, String.join("; ", faults)));
  }
}

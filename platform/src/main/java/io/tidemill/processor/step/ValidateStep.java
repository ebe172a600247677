package io.tidemill.processor.step;

import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import io.tidemill.processor.option.OptionReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Lets valid records pass, and keeps the others with the reasons (C2.8).
public final class ValidateStep implements Step {
  /// The code when more records are invalid than allowed.
  public static final String FAILED = "VALIDATION_FAILED";

  private final SideFiles asides;
  private final Path scratch;

  public ValidateStep(SideFiles asides, Path scratch) {
    this.asides = asides;
    this.scratch = scratch;
  }

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
    var known = options(options);
    checks(known);
    most(known);
  }

  private OptionReader options(ObjectNode options) throws WorkFailure {
    return OptionReader.of(name(), options).only(StepForms.VALIDATE.optionNames());
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    var options = options(call.options());
    var checks = checks(options);
    var most = most(options);
    try (var rejects = new RejectedRecords(call, asides, scratch);
        var output = call.output()) {
      var total =
          RecordPass.over(
              call,
              (record, position) -> {
                var faults = faults(checks, record);
                // Whatever was not looked at to the end is no fault of the record.
                if (Thread.interrupted()) throw new InterruptedException();
                if (faults.isEmpty()) output.write(record);
                else reject(rejects, position, record, faults, most);
              });
      var valid = total - rejects.count();
      var result =
          Json.object()
              .put("recordsProcessed", total)
              .put("validRecords", valid)
              .put("invalidRecords", rejects.count());
      rejects.tell(result, "invalid");
      return new StepOutcome.Done(
          result, output.finish(), new Counts(total, valid, rejects.count()));
    }
  }

  private static List<RecordCheck> checks(OptionReader options) throws WorkFailure {
    var checks = new ArrayList<RecordCheck>();
    var schema = options.get("schema");
    if (schema != null) checks.add(SchemaCheck.of(schema));
    var rules = options.object("rules");
    if (rules != null) checks.add(FieldRules.of(rules));
    // Whoever asks for nothing gets what every later step relies on.
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

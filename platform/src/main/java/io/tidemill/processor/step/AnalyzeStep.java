package io.tidemill.processor.step;

import io.tidemill.api.Records;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.contract.workflow.StepForms;
import io.tidemill.json.Json;
import io.tidemill.processor.option.OptionReader;
import io.tidemill.processor.profile.FieldProfile;
import io.tidemill.processor.profile.TextProfile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Profiles records: types, gaps, numbers, frequent values, languages and keywords (C2.8).
public record AnalyzeStep(LanguageDetector languages) implements Step {
  private static final int MOST_FIELDS = 100;
  private static final int LONGEST_NAME = 100;
  private static final int MOST_VALUES = 400;
  private static final int LARGEST = 60 * 1024;

  @Override
  public String name() {
    return "analyze";
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  /// The profile of one run.
  private static final class Findings {
    final Map<String, FieldProfile> fields = new LinkedHashMap<>();
    final TextProfile texts;
    final @Nullable String textField;
    long others;
    boolean isCut;

    Findings(LanguageDetector languages, @Nullable String textField) {
      this.texts = new TextProfile(languages);
      this.textField = textField;
    }

    void add(JsonNode record) {
      if (!record.isObject()) {
        others++;
        return;
      }
      for (var field : record.properties()) add(field.getKey(), field.getValue());
      var text = text(record);
      if (text != null) texts.add(text);
    }

    private void add(String name, JsonNode value) {
      var profile = fields.get(name);
      if (profile == null) {
        if (fields.size() >= MOST_FIELDS || name.length() > LONGEST_NAME) {
          isCut = true;
          return;
        }
        profile = new FieldProfile();
        fields.put(name, profile);
      }
      profile.add(value);
    }

    @Nullable String text(JsonNode record) {
      var name =
          textField != null ? textField : record.path("text").isString() ? "text" : "content";
      var node = record.path(name);
      return node.isString() && !node.stringValue().isBlank() ? node.stringValue() : null;
    }
  }

  /// The options of the step.
  private record AnalyzeOptions(int top, int keywords, boolean annotate, @Nullable String field) {
    static AnalyzeOptions of(OptionReader options) throws WorkFailure {
      return new AnalyzeOptions(
          (int) options.number("top", 10, 0, 50),
          (int) options.number("keywords", 20, 0, 100),
          options.flag("annotate"),
          options.text("field"));
    }
  }

  @Override
  public void check(ObjectNode options) throws WorkFailure {
    AnalyzeOptions.of(OptionReader.of(StepForms.ANALYZE, options));
  }

  @Override
  public StepOutcome run(StepCall call) throws Exception {
    var options = AnalyzeOptions.of(OptionReader.of(StepForms.ANALYZE, call.options()));
    var findings = new Findings(languages, options.field());
    var total = RecordPass.over(call, (record, _) -> findings.add(record));
    var result = result(findings, total, options.top());
    findings.texts.writeTo(result, options.keywords());
    bound(result);
    var output = options.annotate() ? annotated(call, findings) : call.input();
    return new StepOutcome.Done(result, output, Counts.all(total));
  }

  private static ObjectNode result(Findings findings, long total, int top) {
    var result = Json.object().put("recordsProcessed", total);
    if (findings.others > 0) result.put("recordsThatAreNoObjects", findings.others);
    var fields = result.putObject("fields");
    var shown = Math.min(top, MOST_VALUES / Math.max(1, findings.fields.size()));
    var objects = total - findings.others;
    findings.fields.forEach((name, field) -> fields.set(name, field.profile(objects, shown)));
    if (findings.isCut) result.put("moreFields", true);
    return result;
  }

  // Of many fields with long names the last are left out: a result travels in an event.
  private static void bound(ObjectNode result) {
    var fields = (ObjectNode) result.get("fields");
    while (Json.bytes(result).length > LARGEST && !fields.isEmpty()) {
      var names = List.copyOf(fields.propertyNames());
      names
          .subList(names.size() - Math.max(1, names.size() / 10), names.size())
          .forEach(fields::remove);
      result.put("moreFields", true);
    }
  }

  private static Records annotated(StepCall call, Findings findings) throws Exception {
    try (var output = call.output()) {
      RecordPass.over(
          call,
          (record, _) -> {
            var text = record.isObject() ? findings.text(record) : null;
            if (text != null && record instanceof ObjectNode object) {
              findings.texts.annotate(object, text);
            }
            output.write(record);
          });
      return output.finish();
    }
  }
}

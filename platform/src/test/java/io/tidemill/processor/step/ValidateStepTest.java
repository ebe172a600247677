package io.tidemill.processor.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValidateStepTest {
  @TempDir private Path scratch;
  private final Map<String, List<String>> objects = new HashMap<>();

  private ValidateStep step() {
    return new ValidateStep(
        new RejectStore(
            (name, file) -> {
              objects.put(name, Files.readAllLines(file));
              return "s3://aside/" + name;
            },
            scratch));
  }

  private List<String> faults(String options, String record) throws Exception {
    var done = MemoryCall.of(options, record).done(step());
    return done.result()
        .path("invalid")
        .path(0)
        .path("reasons")
        .valueStream()
        .map(reason -> reason.asString())
        .toList();
  }

  @Test
  void countsAsTheContractDoes() throws Exception { // C2.3, C2.8
    var call =
        MemoryCall.of(
            "{\"rules\":{\"id\":{\"required\":true,\"type\":\"integer\"}}}",
            "{\"id\":1}",
            "{\"id\":\"x\"}",
            "{}",
            "{\"id\":4}");

    var done = call.done(step());

    assertThat(done.counts()).isEqualTo(new Counts(4, 2, 2));
    assertThat(Json.text(done.result()))
        .startsWith(
            "{\"recordsProcessed\":4,\"validRecords\":2,\"invalidRecords\":2,\"invalid\":[");
    assertThat(done.result().at("/invalid/0/position").asInt()).isEqualTo(2);
    assertThat(MemoryCall.texts(done.output())).containsExactly("{\"id\":1}", "{\"id\":4}");
  }

  @Test
  void withoutOptionsEveryRecordMustBeAnObject() throws Exception {
    var done = MemoryCall.of("{}", "{}", "7", "[]").done(step());

    assertThat(done.counts()).isEqualTo(new Counts(3, 1, 2));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"type":"string"}                  | 1                  | f must be of type string
          {"type":"integer"}                 | 1.5                | f must be of type integer
          {"type":"integer"}                 | 5.0                |
          {"type":"number","min":0}          | -1                 | f is below 0
          {"max":10}                         | 10.01              | f is above 10
          {"max":12345678901234567890}       | 12345678901234567891 | f is above 12345678901234567890
          {"minLength":3}                    | "ab"               | f is shorter than 3
          {"maxLength":1}                    | "😀"               |
          {"maxLength":1}                    | [1,2]              | f is longer than 1
          {"pattern":"^[a-z]+$"}             | "Ab"               | f does not match ^[a-z]+$
          {"enum":["a",1]}                   | 1.0                |
          {"enum":["a",1]}                   | "b"                | f is "b": not one of the allowed values
          {"format":"email"}                 | "a@b.org"          |
          {"format":"email"}                 | "a.b.org"          | f is not a valid email
          {"format":"url"}                   | "https://x.org/"   |
          {"format":"url"}                   | "ftp://x.org/"     | f is not a valid url
          {"format":"date-time"}             | "2026-01-04T01:09:27.123Z" |
          {"format":"date-time"}             | "yesterday"        | f is not a valid date-time
          {"required":true}                  | null               | f is missing
          {"type":"string"}                  | null               |
          """)
  void knowsItsRules(String rule, String value, String fault) throws Exception {
    assertThat(faults("{\"rules\":{\"f\":" + rule + "}}", "{\"f\":" + value + "}"))
        .isEqualTo(fault == null ? List.of() : List.of(fault));
  }

  @Test
  void knowsJsonSchema() throws Exception {
    var schema =
        """
        {"schema":{"$defs":{"price":{"type":"number","minimum":0}},"type":"object",
         "required":["name"],"properties":{"price":{"$ref":"#/$defs/price"}}}}\
        """;

    assertThat(faults(schema, "{\"name\":\"x\",\"price\":1}")).isEmpty();
    assertThat(faults(schema, "{\"price\":-1}")).hasSize(2);
    assertThat(faults(schema, "{\"name\":\"x\",\"price\":\"1\"}").getFirst()).contains("price");
  }

  @Test
  void keepsAllInvalidRecordsWhenTheResultHasNoRoom() throws Exception {
    var call =
        MemoryCall.many(
            "{\"rules\":{\"id\":{\"max\":100}}}",
            500,
            id -> Json.object().put("id", id).put("text", "x".repeat(id == 101 ? 100_000 : 10)));

    var done = call.done(step());

    assertThat(done.counts()).isEqualTo(new Counts(500, 100, 400));
    assertThat(done.result().get("invalid")).hasSize(100);
    assertThat(Json.bytes(done.result())).hasSizeLessThan(60_000);
    assertThat(done.result().get("invalidObject").asString())
        .isEqualTo("s3://aside/wf-1-0-invalid.ndjson");
    assertThat(objects.get("wf-1-0-invalid.ndjson")).hasSize(400);
    assertThat(scratch).isEmptyDirectory();
  }

  @Test
  void failsWhenTooManyAreInvalid() {
    assertThatThrownBy(() -> MemoryCall.of("{\"maxInvalid\":1}", "1", "{}", "2", "3").done(step()))
        .isInstanceOfSatisfying(
            WorkFailure.class, it -> assertThat(it.code()).isEqualTo("VALIDATION_FAILED"))
        .hasMessageContaining("2 invalid records are more than the 1 allowed; record 3");
    assertThatThrownBy(() -> MemoryCall.of("{\"failOnInvalid\":true}", "1").done(step()))
        .isInstanceOf(WorkFailure.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"rule\":{}}",
        "{\"rules\":[]}",
        "{\"rules\":{\"f\":1}}",
        "{\"rules\":{\"f\":{\"mim\":1}}}",
        "{\"rules\":{\"f\":{\"type\":\"text\"}}}",
        "{\"rules\":{\"f\":{\"pattern\":\"(\"}}}",
        "{\"rules\":{\"f\":{\"enum\":[]}}}",
        "{\"schema\":7}",
        "{\"schema\":{\"type\":\"objectt\"}}",
        "{\"schema\":{\"properties\":{\"a\":{\"anyOf\":[{\"type\":[\"string\",\"nul\"]}]}}}}",
        "{\"schema\":{\"required\":true}}",
        "{\"schema\":{\"pattern\":\"(?=a)\"}}",
        "{\"schema\":{\"multipleOf\":1e-99999999}}",
        "{\"schema\":{\"pattern\":\"((((a{60}){60}){60}){60})\"}}",
        "{\"schema\":{\"patternProperties\":{\"((((a{60}){60}){60}){60})\":{}}}}",
        "{\"rules\":{\"f\":{\"pattern\":\"(((a{0,30}){0,30}){0,30})b\"}}}",
        "{\"schema\":{\"$ref\":\"http://127.0.0.1:1/schema.json\"}}",
        "{\"schema\":{\"$ref\":\"file:///etc/passwd\"}}",
        "{\"schema\":{\"$schema\":\"http://json-schema.org/draft-07/schema#\"}}",
        "{\"maxInvalid\":-1}"
      })
  void saysWhatIsWrongWithItsOptions(String options) {
    assertThatThrownBy(() -> MemoryCall.of(options, "{\"f\":\"x\"}").done(step()))
        .isInstanceOfSatisfying(
            WorkFailure.class,
            it -> {
              assertThat(it.code()).isEqualTo("INVALID_OPTIONS");
              assertThat(it.isRetryable()).isFalse();
            })
        .hasMessageStartingWith("validate: ");
  }

  @Test
  void namesTheTypeThatNoSchemaKnows() {
    var options = "{\"schema\":{\"properties\":{\"a\":{\"type\":\"objectt\"}}}}";

    assertThatThrownBy(() -> MemoryCall.of(options, "{}").done(step()))
        .hasMessageStartingWith("validate: option schema is not a JSON Schema (2020-12): ")
        .hasMessageContaining("properties.a.type")
        .hasMessageContaining("\"object\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"$ref\":\"#\"}",
        "{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}",
        "{\"properties\":{\"a\":{\"anyOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}},\"required\":[\"b\"]}",
        "{\"$dynamicRef\":\"#x\",\"$dynamicAnchor\":\"x\"}"
      })
  void noSchemaTakesForEver(String schema) throws Exception { // F50
    var deep = "{\"a\":".repeat(60) + "1" + "}".repeat(60);

    assertThat(faults("{\"schema\":" + schema + "}", deep).toString())
        .contains("follows references");
  }

  @Test
  void aNumberThatNobodyCanDivideIsTheFaultOfItsRecord() throws Exception { // F50
    var call =
        MemoryCall.of(
            "{\"schema\":{\"properties\":{\"f\":{\"multipleOf\":3}}}}",
            "{\"f\":1e99999999}",
            "{\"f\":6}",
            "{\"f\":1e-99999999}");

    var done = call.done(step());

    assertThat(done.counts()).isEqualTo(new Counts(3, 1, 2));
    assertThat(done.result().at("/invalid/0/reasons/0").asString())
        .isEqualTo("f is a number that is out of range");
  }

  @Test
  void noPatternTakesForEver() throws Exception { // F50
    assertThat(
            faults(
                "{\"schema\":{\"properties\":{\"f\":{\"pattern\":\"^(a+)+$\"}}}}",
                "{\"f\":\"" + "a".repeat(50_000) + "b\"}"))
        .hasSize(1);
  }
}

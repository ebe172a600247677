package io.tidemill.contract.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bodies of C2's HTTP calls.
class ExecutionFormsTest {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27.123Z");

  private static <T> T message(Decoded<T> decoded) {
    assertThat(decoded).isInstanceOf(Decoded.Message.class);
    return ((Decoded.Message<T>) decoded).message();
  }

  private static String malformed(Decoded<?> decoded) {
    assertThat(decoded).isInstanceOf(Decoded.Malformed.class);
    return ((Decoded.Malformed<?>) decoded).why();
  }

  private static Decoded<WorkflowCreated> workflow(String name, String steps) {
    return ExecutionForms.workflow(
        "{\"name\":%s,\"steps\":%s}".formatted(Json.text(Json.tree(name)), steps).getBytes(UTF_8),
        NOW);
  }

  @Test
  void whatIsTooDeepToTravelIsRefused() {
    var deep = "{\"a\":".repeat(185) + "1" + "}".repeat(185);
    var task = "{\"type\":\"data_export\",\"data\":" + deep + "}";

    assertThat(ExecutionForms.task(task.getBytes(UTF_8), Set.of("data_export"), Instant.EPOCH))
        .isEqualTo(new Decoded.Malformed<>("data must have at most 180 levels"));
  }

  @Test
  void aWorkflowIsMediumAndHasNoInputUnlessItSaysSo() {
    var created = message(workflow("abc", "[\"a\"]"));

    assertThat(created.priority()).isEqualTo(Priority.MEDIUM);
    assertThat(created.input()).isNull();
    assertThat(created.createdAt()).isEqualTo(NOW);
    assertThat(ExecutionRecords.workflowCreated(ExecutionRecords.fields(created)))
        .isEqualTo(created);
  }

  @ParameterizedTest
  @CsvSource({"2,false", "3,true", "100,true", "101,false"})
  void namesHaveThreeToAHundredCharacters(int length, boolean good) {
    for (var character : new String[] {"x", "🌊"}) {
      assertThat(workflow(character.repeat(length), "[\"a\"]") instanceof Decoded.Message)
          .isEqualTo(good);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,false", "1,true", "50,true", "51,false"})
  void stepsAreOneToFifty(int count, boolean good) {
    var steps =
        IntStream.range(0, count).mapToObj(_ -> "\"a\"").collect(Collectors.joining(",", "[", "]"));

    assertThat(workflow("abc", steps) instanceof Decoded.Message).isEqualTo(good);
  }

  @Test
  void aPluginsTypeOfTaskIsTakenWhenItIsKnown() {
    var body = "{\"type\":\"fax\",\"data\":{}}".getBytes(UTF_8);

    assertThat(message(ExecutionForms.task(body, Set.of("fax"), NOW)).maxRetries()).isEqualTo(3);
    assertThat(malformed(ExecutionForms.task(body, Set.of("b", "a"), NOW)))
        .isEqualTo("type must be one of a, b");
  }

  @Test
  void nullCountsAsNotGiven() {
    var body = "{\"type\":\"a\",\"data\":{},\"maxRetries\":null}".getBytes(UTF_8);

    assertThat(message(ExecutionForms.task(body, Set.of("a"), NOW)).maxRetries()).isEqualTo(3);
  }

  @Test
  void aReportKeepsWhatItKnowsInTheFormOfTheRecord() {
    var body =
        """
        {"status":"failed","currentStep":"b","currentStepIndex":1,"completedAt":"2026-01-04T02:00:00+01:00",
         "startedAt":null,"error":"no answer","summary":{"n":1},"whatever":7}
        """;

    var report = message(ExecutionForms.report(ExecutionKind.WORKFLOW, body.getBytes(UTF_8)));

    assertThat(report.status()).isEqualTo(ExecutionStatus.FAILED);
    assertThat(report.fields())
        .containsOnlyKeys("currentStep", "currentStepIndex", "completedAt", "error", "summary")
        .containsEntry("completedAt", "2026-01-04T01:00:00.000Z")
        .containsEntry("error", "{\"code\":\"FAILED\",\"message\":\"no answer\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"status\":\"dead_letter\"}",
        "{\"status\":7}",
        "{\"currentStep\":\"\"}",
        "{\"currentStepIndex\":\"1\"}",
        "{\"startedAt\":\"yesterday\"}",
        "{\"error\":{}}",
        "[]"
      })
  void aReportThatIsWrongIsRefused(String body) {
    malformed(ExecutionForms.report(ExecutionKind.WORKFLOW, body.getBytes(UTF_8)));
  }

  @Test
  void anEmptyBodyIsAWishWithoutWishes() {
    assertThat(message(ExecutionForms.again(ExecutionKind.TASK, new byte[0])))
        .isEqualTo(new ExecutionForms.Again(null, null, null, null));
    assertThat(message(ExecutionForms.reason(new byte[0]))).isEmpty();
    assertThat(message(ExecutionForms.reason("{\"reason\":\"x\"}".getBytes(UTF_8)))).isEqualTo("x");
  }
}

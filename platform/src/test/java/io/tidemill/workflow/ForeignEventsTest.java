package io.tidemill.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionEvent.StepCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.TaskDeadLetter;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.TaskProcessing;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCompleted;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowProcessing;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ForeignEventsTest {
  private static final Instant AT = Instant.parse("2026-01-04T01:00:00Z");
  private static final String TIME = "2026-01-04T01:00:00.000Z";
  private static final ExecutionError ERROR = new ExecutionError("X", "no");
  private static final String JSON = "{\"code\":\"X\",\"message\":\"no\"}";
  private static final TaskFailed FAILED = new TaskFailed("t", AT, 1, 3, ERROR, AT);

  static Stream<Arguments> table() {
    var text = Json.tree("text");
    var step = "{\"stepName\":\"b\",\"stepIndex\":1,\"completedAt\":\"" + TIME + "\",";
    return Stream.of(
        Arguments.of(
            new WorkflowProcessing("w", AT, "a", 0),
            "processing",
            Map.of("startedAt", TIME, "currentStep", "a", "currentStepIndex", "0")),
        Arguments.of(
            new StepCompleted("w", "b", 1, AT, 5, text),
            "processing",
            Map.of(
                "step:1", step + "\"duration\":5,\"result\":\"text\"}",
                "stepsCompleted", "2",
                "currentStep", "b",
                "currentStepIndex", "1")),
        Arguments.of(
            new WorkflowCompleted("w", AT, 5, 2, text),
            "completed",
            Map.of(
                "completedAt",
                TIME,
                "duration",
                "5",
                "stepsCompleted",
                "2",
                "summary",
                "\"text\"")),
        Arguments.of(
            new WorkflowFailed("w", AT, "b", 1, ERROR),
            "failed",
            Map.of(
                "completedAt", TIME, "currentStep", "b", "currentStepIndex", "1", "error", JSON)),
        Arguments.of(
            new TaskProcessing("t", AT, 1),
            "processing",
            Map.of("startedAt", TIME, "retryCount", "1")),
        Arguments.of(
            new TaskCompleted("t", AT, 5, text),
            "completed",
            Map.of("completedAt", TIME, "duration", "5", "result", "\"text\"")),
        Arguments.of(
            FAILED, "retrying", Map.of("retryCount", "1", "nextRetryAt", TIME, "error", JSON)),
        Arguments.of(
            new TaskDeadLetter("t", Json.object(), 3, 3, ERROR, AT),
            "dead_letter",
            Map.of("completedAt", TIME, "retryCount", "3", "error", JSON)));
  }

  @ParameterizedTest
  @MethodSource("table")
  void anEventIsAStatusAndFields(ExecutionEvent event, String status, Map<String, String> fields) {
    var report = ForeignEvents.report(event, "0:7").orElseThrow();

    assertThat(report.status().wire()).isEqualTo(status);
    assertThat(report.fields()).isEqualTo(fields);
    assertThat(report.place()).isEqualTo("0:7");
    assertThat(report.retryAt()).isNull();
  }

  @Test
  void aCreatedEventReportsNothing() {
    var created = new TaskCreated("t", "data_export", Json.object(), 0, 3, AT);

    assertThat(ForeignEvents.report(created, "0:7")).isEmpty();
    assertThat(ForeignEvents.report(new ExecutionEvent.Unknown("x"), "0:7")).isEmpty();
  }

  @Test
  void aFailedTaskIsScheduledWithItsLimit() {
    var report = ForeignEvents.retry(FAILED, "0:7");

    assertThat(report.retryAt()).isEqualTo(AT);
    assertThat(report.fields())
        .isEqualTo(
            Map.of("retryCount", "1", "maxRetries", "3", "nextRetryAt", TIME, "error", JSON));
  }
}

package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionTime;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Events of workflows and tasks, and their times: each is read or refused, and what was read can
/// be written and read again as the same.
public final class ExecutionEventTarget {
  private static final String[] TYPES =
      ExecutionEvent.TYPES.stream().sorted().toArray(String[]::new);
  private static final String[] NAMES = {
    "workflowId",
    "taskId",
    "name",
    "steps",
    "priority",
    "type",
    "data",
    "retryCount",
    "maxRetries",
    "createdAt",
    "startedAt",
    "completedAt",
    "failedAt",
    "nextRetryAt",
    "deadLetteredAt",
    "duration",
    "result",
    "summary",
    "error",
    "finalError",
    "originalEvent",
    "currentStep",
    "currentStepIndex",
    "stepName",
    "stepIndex",
    "failedStep",
    "failedStepIndex",
    "stepsCompleted",
    "input",
    "metadata"
  };
  private static final String[] VALUES = {
    "\"a\"",
    "\"\"",
    "0",
    "3.0",
    "-1",
    "1e400",
    "1e999999999",
    "null",
    "true",
    "{}",
    "[\"validate\"]",
    "[]",
    "\"low\"",
    "{\"code\":\"X\",\"message\":1}",
    "\"2026-01-04T01:09:27Z\"",
    "\"2026-01-04T01:09:27.123456+0100\""
  };

  private ExecutionEventTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    switch (data.consumeInt(0, 2)) {
      case 0 -> time(data.consumeRemainingAsString());
      case 1 -> event(data.consumeRemainingAsBytes());
      default -> event(assembled(data).getBytes(StandardCharsets.UTF_8));
    }
  }

  // Near to the real thing: bytes alone seldom get past the first field.
  private static String assembled(FuzzedDataProvider data) {
    var event = new StringBuilder("{\"eventType\":\"" + data.pickValue(TYPES));
    event.append(
        "\",\"eventId\":\"e\",\"timestamp\":\"2026-01-04T01:09:27Z\",\"payload\":{\"a\":0");
    while (data.remainingBytes() > 0) {
      event.append(",\"").append(data.pickValue(NAMES)).append("\":");
      event.append(data.consumeBoolean() ? data.pickValue(VALUES) : data.consumeAsciiString(20));
    }
    return event.append("}}").toString();
  }

  private static void event(byte[] value) {
    if (!(ExecutionCodec.decode(value) instanceof Decoded.Message(var first))) return;
    var written = ExecutionCodec.encode(first);
    if (!(ExecutionCodec.decode(written) instanceof Decoded.Message(var second))) {
      if (first.event() instanceof ExecutionEvent.Unknown) return;
      throw new AssertionError("can't be read again: " + first);
    }
    if (!Arrays.equals(written, ExecutionCodec.encode(second))) {
      throw new AssertionError(first + " became " + second);
    }
  }

  private static void time(String text) {
    ExecutionTime.decode(text)
        .map(ExecutionTime::encode)
        .ifPresent(written -> {
          if (!ExecutionTime.decode(written)
              .map(ExecutionTime::encode)
              .orElse("")
              .equals(written)) {
            throw new AssertionError(text + " became " + written);
          }
        });
  }
}

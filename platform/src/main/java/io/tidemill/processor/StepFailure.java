package io.tidemill.processor;

import static java.util.Objects.requireNonNull;

import io.tidemill.amqp.AmqpException;
import io.tidemill.analytics.AnalyticsException;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.kafka.KafkaException;
import io.tidemill.lucene.SearchException;
import io.tidemill.processor.input.RecordFailures;
import io.tidemill.redis.RedisException;
import io.tidemill.s3.S3Exception;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// Classifies exceptions of steps and tasks: a code, and whether another attempt may help.
final class StepFailure {
  private static final int LINES = 12;
  private static final int LONGEST = 2_000;

  private StepFailure() {}

  /// @param what the step or type: an unknown exception becomes `WHAT_ERROR` and is permanent
  static ExecutionError of(Throwable thrown, String what) {
    return switch (thrown) {
      case WorkFailure _,
          S3Exception _,
          SearchException _,
          RedisException _,
          AnalyticsException _,
          IOException _ ->
          of(RecordFailures.of((Exception) thrown));
      case UncheckedIOException wrapped ->
          of(RecordFailures.of(requireNonNull(wrapped.getCause())));
      case KafkaException _, AmqpException _ ->
          of(WorkFailure.passing("BROKER_UNAVAILABLE", message(thrown), thrown));
      default -> of(WorkFailure.permanent(code(what), message(thrown), thrown));
    };
  }

  private static ExecutionError of(WorkFailure failure) {
    var cause = failure.getCause() == null ? failure : failure.getCause();
    return new ExecutionError(
        failure.code(), message(failure), stack(cause, failure.code()), failure.isRetryable());
  }

  private static String code(String what) {
    return what.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_") + "_ERROR";
  }

  private static String message(Throwable thrown) {
    var message = thrown.getMessage();
    if (message == null || message.isBlank()) return thrown.getClass().getSimpleName();
    return message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "…";
  }

  private static String stack(Throwable thrown, String code) {
    var frames =
        Arrays.stream(thrown.getStackTrace())
            .limit(LINES)
            .map(frame -> "\n  at " + frame)
            .collect(Collectors.joining());
    return code + ": " + message(thrown) + frames;
  }
}

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

/// What went wrong in a step or task, and whether another attempt may help.
///
/// @param stack where in the code, in a few lines
record StepFailure(String code, String message, boolean retryable, String stack) {
  private static final int LINES = 12;
  private static final int LONGEST = 2_000;

  /// @param what the step or type: an error that we do not know is `WHAT_ERROR`, and would come
  ///   again
  static StepFailure of(Throwable thrown, String what) {
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
          of(WorkFailure.passing("BROKER_UNAVAILABLE", said(thrown), thrown));
      default -> of(WorkFailure.permanent(code(what), said(thrown), thrown));
    };
  }

  private static StepFailure of(WorkFailure failure) {
    var cause = failure.getCause() == null ? failure : failure.getCause();
    return new StepFailure(
        failure.code(), said(failure), failure.isRetryable(), stack(cause, failure.code()));
  }

  private static String code(String what) {
    return what.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_") + "_ERROR";
  }

  /// One that no attempt can mend.
  static StepFailure permanent(String code, String message) {
    return new StepFailure(code, message, false, code + ": " + message);
  }

  private static String said(Throwable thrown) {
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
    return code + ": " + said(thrown) + frames;
  }

  /// As `workflow.failed` and `task.dead_letter` carry it.
  ExecutionError withStack() {
    return new ExecutionError(code, message, stack, null);
  }

  /// As `task.failed` carries it.
  ExecutionError withRetryable() {
    return new ExecutionError(code, message, null, retryable);
  }
}

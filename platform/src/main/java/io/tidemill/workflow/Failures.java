package io.tidemill.workflow;

import io.tidemill.contract.workflow.ExecutionError;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// Errors in the forms that events and records carry.
public final class Failures {
  static final ExecutionError UNPUBLISHED =
      new ExecutionError(ExecutionNames.UNPUBLISHED, "the broker did not take the event");

  private Failures() {}

  /// One that another attempt would meet again.
  public static ExecutionError permanent(String code, String message) {
    return new ExecutionError(code, message, code + ": " + message, false);
  }

  static ExecutionError tooManyTakes(int takes) {
    return permanent("PROCESS_DIED", "%d processes died over it".formatted(takes - 1));
  }

  /// As `workflow.failed` and `task.dead_letter` carry it.
  static ExecutionError withStack(ExecutionError failure) {
    return new ExecutionError(failure.code(), failure.message(), failure.stack(), null);
  }

  /// As `task.failed` carries it.
  static ExecutionError withRetryable(ExecutionError failure) {
    return new ExecutionError(failure.code(), failure.message(), null, failure.retryable());
  }

  static ObjectNode json(ExecutionError error) {
    return Json.object().put("code", error.code()).put("message", error.message());
  }
}

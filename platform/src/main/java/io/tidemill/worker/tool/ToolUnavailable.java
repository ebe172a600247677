package io.tidemill.worker.tool;

import io.tidemill.api.JobFailure;

/// What a tool says that this process lacks something for.
final class ToolUnavailable {
  static final String CODE = "NOT_CONFIGURED";

  private ToolUnavailable() {}

  static JobFailure kafka(String tool) {
    return new JobFailure(
        CODE, tool + " needs Kafka: kafka.bootstrap is not set for this worker's process");
  }
}

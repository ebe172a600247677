package io.tidemill.worker.tools;

import io.tidemill.worker.JobFailure;

/// What a tool says that this process lacks something for.
final class NotSet {
  static final String CODE = "NOT_CONFIGURED";

  private NotSet() {}

  static JobFailure kafka(String tool) {
    return new JobFailure(
        CODE, tool + " needs Kafka: kafka.bootstrap is not set for this worker's process");
  }
}

package io.tidemill.worker.tool;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.api.JobCall;
import io.tidemill.api.JobFailure;
import io.tidemill.api.RetryLater;
import io.tidemill.api.Tool;
import io.tidemill.kafka.KafkaException;
import java.util.UUID;

/// Shared by the tools that publish to Kafka.
final class KafkaStart {
  private KafkaStart() {}

  /// The same id on every attempt: nothing is started twice.
  static UUID id(Tool tool, JobCall job) {
    return UUID.nameUUIDFromBytes(("tool " + tool.name() + "\n" + job.id()).getBytes(UTF_8));
  }

  static JobFailure notConfigured(Tool tool) {
    return BuiltInTool.notConfigured(
        tool.name() + " needs Kafka: kafka.bootstrap is not set for this worker's process");
  }

  static Exception refused(String what, KafkaException refused) {
    return refused.isTooLarge()
        ? new JobFailure("UNPUBLISHED", what + " is larger than the broker takes")
        : new RetryLater(String.valueOf(refused.getMessage()), refused);
  }
}

package io.tidemill.worker.tools;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.broker.kafka.KafkaException;
import io.tidemill.worker.JobCall;
import io.tidemill.worker.JobFailure;
import io.tidemill.worker.RetryLater;
import io.tidemill.worker.Tool;
import java.util.UUID;

/// What tools that hand something to Kafka have in common.
final class Starting {
  private Starting() {}

  /// The same id on every attempt: nothing is started twice.
  static UUID id(Tool tool, JobCall job) {
    return UUID.nameUUIDFromBytes(("tool " + tool.name() + "\n" + job.id()).getBytes(UTF_8));
  }

  static Exception refused(String what, KafkaException refused) {
    return refused.isTooLarge()
        ? new JobFailure("UNPUBLISHED", what + " is larger than the broker takes")
        : new RetryLater(String.valueOf(refused.getMessage()), refused);
  }
}

package io.tidemill.kafka.consumer;

import java.time.Duration;

/// What becomes of a record after an attempt.
sealed interface RecordEnding {
  /// It never runs again here.
  record Finished() implements RecordEnding {}

  /// It runs again, and until then the rest of its key waits.
  record Postponed(Duration after) implements RecordEnding {}
}

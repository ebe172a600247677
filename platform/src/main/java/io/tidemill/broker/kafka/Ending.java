package io.tidemill.broker.kafka;

import java.time.Duration;

/// What becomes of a record after an attempt.
sealed interface Ending {
  /// It never runs again here.
  record Finished() implements Ending {}

  /// It runs again, and until then the rest of its key waits.
  record Postponed(Duration after) implements Ending {}
}

package io.tidemill.processor.step;

import io.tidemill.api.StepCall;
import tools.jackson.databind.JsonNode;

/// One way through the records of a step, that tells how far it is and can be interrupted.
final class RecordPass {
  private static final int TELL_EVERY = 20_000;
  private static final double HALF = 200_000;

  /// What is done with each record.
  interface Each {
    /// @param position the first record is 1
    void take(JsonNode record, long position) throws Exception;
  }

  private RecordPass() {}

  /// Gives every record to `each`.
  ///
  /// @return how many there were
  static long over(StepCall call, Each each) throws Exception {
    var count = 0L;
    try (var reader = call.input().open()) {
      for (var record = reader.next(); record != null; record = reader.next()) {
        if (Thread.interrupted()) throw new InterruptedException();
        each.take(record, ++count);
        // Nobody knows how many will come: the fraction grows without ever being done.
        if (count % TELL_EVERY == 0) call.progress(count / (count + HALF), count + " records");
      }
    }
    return count;
  }
}

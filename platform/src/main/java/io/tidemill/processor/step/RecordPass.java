package io.tidemill.processor.step;

import io.tidemill.api.StepCall;
import tools.jackson.databind.JsonNode;

/// One pass over the input of a step, interruptible and with progress reports.
final class RecordPass {
  private static final int REPORT_EVERY = 20_000;
  private static final double HALF = 200_000;

  /// Handles each record.
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
        // The total is unknown: the fraction grows without reaching 1.
        if (count % REPORT_EVERY == 0) call.progress(count / (count + HALF), count + " records");
      }
    }
    return count;
  }
}

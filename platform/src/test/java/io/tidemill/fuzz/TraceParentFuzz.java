package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.observe.TraceParent;

/// Any header is a trace or none, and a trace is written as it was read.
public final class TraceParentFuzz {
  private TraceParentFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var header = data.consumeRemainingAsString();
    TraceParent.parse(header)
        .ifPresent(trace -> {
          if (!TraceParent.parse(trace.toString()).equals(TraceParent.parse(header))) {
            throw new AssertionError(header);
          }
        });
  }
}

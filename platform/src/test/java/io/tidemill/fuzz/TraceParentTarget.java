package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.observe.TraceParent;

/// Trace headers: what is accepted is valid when it is sent on.
public final class TraceParentTarget {
  private TraceParentTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var header = data.consumeRemainingAsString();
    TraceParent.parse(header)
        .ifPresent(trace -> {
          if (!TraceParent.parse(trace.toString()).equals(java.util.Optional.of(trace))) {
            throw new AssertionError(header);
          }
        });
  }
}

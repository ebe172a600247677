package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.http.PathTarget;
import java.io.IOException;

/// All targets in one process: Jazzer takes seconds to start. The slow one gets the fewest turns.
public final class AllTargets {
  private AllTargets() {}

  public static void fuzzerInitialize() {
    CharsetTarget.fuzzerInitialize();
    PageTarget.fuzzerInitialize();
  }

  public static void fuzzerTestOneInput(FuzzedDataProvider data) throws IOException {
    switch (data.consumeInt(0, 70)) {
      case 0 -> SettingsTarget.fuzzerTestOneInput(data.consumeRemainingAsBytes());
      case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 -> PathTarget.fuzzerTestOneInput(data);
      case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 -> EventStreamTarget.fuzzerTestOneInput(data);
      case 21, 22, 23, 24, 25, 26, 27, 28, 29, 30 -> TraceParentTarget.fuzzerTestOneInput(data);
      case 31, 32, 33, 34, 35, 36, 37, 38, 39, 40 -> RecordTarget.fuzzerTestOneInput(data);
      case 41, 42, 43, 44, 45, 46, 47, 48, 49, 50 -> EntryTarget.fuzzerTestOneInput(data);
      case 61, 62, 63, 64, 65 -> CharsetTarget.fuzzerTestOneInput(data);
      case 66, 67, 68, 69, 70 -> PageTarget.fuzzerTestOneInput(data);
      case 51, 52, 53, 54 -> RequestTarget.fuzzerTestOneInput(data);
      default -> SubmissionTarget.fuzzerTestOneInput(data.consumeRemainingAsBytes());
    }
  }
}

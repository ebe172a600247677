package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.http.PathTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// All targets in one process: Jazzer takes seconds to start. The slow one gets the fewest turns.
public final class AllTargets {
  private AllTargets() {}

  /// Loads what is slow to load, so that it does not count as a slow input on a busy machine.
  public static void fuzzerInitialize() {
    WebUrlTarget.fuzzerInitialize();
    SubmissionTarget.fuzzerTestOneInput("{}".getBytes(StandardCharsets.UTF_8));
    CharsetTarget.fuzzerInitialize();
    PageReaderTarget.fuzzerInitialize();
  }

  public static void fuzzerTestOneInput(FuzzedDataProvider data) throws IOException {
    switch (data.consumeInt(0, 120)) {
      case 0 -> SettingsTarget.fuzzerTestOneInput(data.consumeRemainingAsBytes());
      case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 -> PathTarget.fuzzerTestOneInput(data);
      case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 -> EventStreamTarget.fuzzerTestOneInput(data);
      case 21, 22, 23, 24, 25, 26, 27, 28, 29, 30 -> TraceParentTarget.fuzzerTestOneInput(data);
      case 31, 32, 33, 34, 35, 36, 37, 38, 39, 40 -> RecordTarget.fuzzerTestOneInput(data);
      case 41, 42, 43, 44, 45, 46, 47, 48, 49, 50 -> EntryTarget.fuzzerTestOneInput(data);
      case 51, 52, 53, 54 -> RequestTarget.fuzzerTestOneInput(data);
      case 61, 62, 63, 64, 65, 66, 67, 68, 69, 70 -> WebUrlTarget.fuzzerTestOneInput(data);
      case 71, 72, 73, 74, 75, 76, 77, 78, 79, 80 -> RobotsTarget.fuzzerTestOneInput(data);
      case 81, 82, 83, 84, 85, 86, 87, 88, 89, 90 -> SitemapTarget.fuzzerTestOneInput(data);
      case 91, 92, 93, 94, 95, 96, 97, 98, 99, 100 -> PageTarget.fuzzerTestOneInput(data);
      case 101, 102, 103, 104, 105 -> CharsetTarget.fuzzerTestOneInput(data);
      case 106, 107, 108, 109, 110 -> PageReaderTarget.fuzzerTestOneInput(data);
      case 111, 112, 113, 114, 115 -> QueryTarget.fuzzerTestOneInput(data);
      default -> SubmissionTarget.fuzzerTestOneInput(data.consumeRemainingAsBytes());
    }
  }
}

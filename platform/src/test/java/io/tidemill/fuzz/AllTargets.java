package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.gateway.mcp.McpTarget;
import io.tidemill.http.access.CookieTarget;
import io.tidemill.http.server.PathTarget;
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
    ExpressionTarget.fuzzerInitialize();
    RulesTarget.fuzzerInitialize();
  }

  public static void fuzzerTestOneInput(FuzzedDataProvider data) throws IOException {
    switch (data.consumeInt(0, 144)) {
      case 0 -> SettingsTarget.fuzzerTestOneInput(data.consumeRemainingAsBytes());
      case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 -> PathTarget.fuzzerTestOneInput(data);
      case 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 -> EventStreamTarget.fuzzerTestOneInput(data);
      case 21, 22, 23, 24, 25, 26, 27, 28, 29, 30 -> TraceParentTarget.fuzzerTestOneInput(data);
      case 31, 32, 33, 34, 35, 36, 37, 38, 39, 40 -> RecordTarget.fuzzerTestOneInput(data);
      case 41, 42, 43, 44, 45, 46, 47, 48, 49, 50 -> EntryTarget.fuzzerTestOneInput(data);
      case 51, 52, 53, 54 -> RequestTarget.fuzzerTestOneInput(data);
      case 55, 56, 57, 58, 59, 60, 61, 62, 63, 64 -> WebUrlTarget.fuzzerTestOneInput(data);
      case 65, 66, 67, 68, 69, 70, 71, 72, 73, 74 -> RobotsTarget.fuzzerTestOneInput(data);
      case 75, 76, 77, 78, 79, 80, 81, 82, 83, 84 -> SitemapTarget.fuzzerTestOneInput(data);
      case 85, 86, 87, 88, 89, 90, 91, 92, 93, 94 -> PageTarget.fuzzerTestOneInput(data);
      case 95, 96, 97, 98, 99 -> CharsetTarget.fuzzerTestOneInput(data);
      case 100, 101, 102, 103, 104 -> PageReaderTarget.fuzzerTestOneInput(data);
      case 105, 106, 107, 108, 109 -> QueryTarget.fuzzerTestOneInput(data);
      case 110, 111, 112, 113, 114 -> JsonRecordsTarget.fuzzerTestOneInput(data);
      case 115, 116 -> ExpressionTarget.fuzzerTestOneInput(data);
      case 117, 118 -> RulesTarget.fuzzerTestOneInput(data);
      case 119, 120, 121, 122, 123, 124 ->
          ExecutionTarget.fuzzerTestOneInput(data.consumeRemainingAsBytes());
      case 125, 126, 127, 128, 129 -> ExecutionEventTarget.fuzzerTestOneInput(data);
      case 130, 131, 132, 133, 134 -> McpTarget.fuzzerTestOneInput(data.consumeRemainingAsBytes());
      case 135, 136, 137, 138, 139 -> CookieTarget.fuzzerTestOneInput(data);
      default -> SubmissionTarget.fuzzerTestOneInput(data.consumeRemainingAsBytes());
    }
  }
}

package io.tidemill.fuzz;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import io.tidemill.http.Request;

/// Request targets: read, or refused as a bad request.
public final class RequestTarget {
  private RequestTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    try {
      var request = Request.of("GET", "/" + data.consumeRemainingAsString());
      var first = request.query("q").orElse("");
      if (request.queryAll("q").stream().noneMatch(first::equals) && !first.isEmpty()) {
        throw new AssertionError("the first is not among all");
      }
    } catch (IllegalArgumentException badRequest) {
      // That is the answer: 400.
    }
  }
}

package io.tidemill.gateway.dead;

import io.tidemill.http.Problem;
import io.tidemill.http.Response;
import java.time.Instant;
import java.util.List;

/// What all sources say alike.
final class Answers {
  static final String REDRIVEN_AT = "redriven_at";

  private Answers() {}

  static Response redrivenBefore(Instant at) {
    return Response.problem(
        Problem.of(409, "it was redriven at " + at + "; again=true does it once more")
            .with(REDRIVEN_AT, at.toEpochMilli()));
  }

  static Response misfit(List<Violation> violations) {
    var first = violations.getFirst();
    var where = first.path().isEmpty() ? "" : first.path() + ": ";
    return Response.problem(
        Problem.of(422, "it does not fit its contract: " + where + first.message())
            .with("violations", Violation.encode(violations)));
  }
}

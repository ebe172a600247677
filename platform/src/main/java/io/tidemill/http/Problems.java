package io.tidemill.http;

import io.tidemill.service.Unavailable;
import java.time.Duration;

/// Answers to what can go wrong on many routes: the same mistake gets the same status everywhere.
public final class Problems {
  private Problems() {}

  /// A body that is not JSON.
  public static Response unreadable(String why) {
    return Response.problem(400, why);
  }

  /// A body that is JSON, but not what it must be.
  public static Response malformed(String why) {
    return Response.problem(422, why);
  }

  /// The same, where every reason begins with the name of a field.
  public static Response malformedField(String why) {
    var field = why.substring(0, Math.max(0, why.indexOf(" must ")));
    var problem = Problem.of(422, why);
    return Response.problem(field.contains(" ") ? problem : problem.with("field", field));
  }

  public static Response of(RequestHeaders.Wrong wrong) {
    return Response.problem(400, wrong.detail());
  }

  public static Response of(Parameters.Wrong wrong) {
    return Response.problem(Problem.of(422, wrong.detail()).with("parameter", wrong.parameter()));
  }

  public static Response of(Unavailable unavailable) {
    var problem = Problem.of(503, String.valueOf(unavailable.getMessage()));
    return retryLater(problem, unavailable.retryAfter());
  }

  /// The first request with an idempotency key may still come to nothing: nothing is promised
  /// before the broker has it, however often it is asked for (F06).
  public static Response busy() {
    return retryLater(
        Problem.of(
            409, "the first request with this Idempotency-Key is under way; try again in a moment"),
        Duration.ofSeconds(1));
  }

  /// The idempotency key belongs to another request.
  public static Response conflict(String why) {
    return Response.problem(422, why);
  }

  /// What the client gave to work on is too large.
  public static Response tooLarge(String why) {
    return Response.problem(413, why);
  }

  /// As many wait as may.
  public static Response queueFull(String why, long waiting, long max, Duration retryAfter) {
    var problem = Problem.of(429, why).with("waiting", waiting).with("max", max);
    return retryLater(problem, retryAfter);
  }

  /// One that may be gone when the client tries again.
  public static Response retryLater(Problem problem, Duration retryAfter) {
    var seconds = Math.max(1, retryAfter.plusMillis(999).toSeconds());
    return Response.problem(problem).withHeader("Retry-After", Long.toString(seconds));
  }
}

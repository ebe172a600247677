package io.tidemill.http;

import io.tidemill.service.Unavailable;
import java.time.Duration;
import java.util.Optional;

/// Problems that many routes share: the same mistake gets the same status everywhere.
public final class Problems {
  // The beginning of what FieldNames says.
  private static final String UNKNOWN_FIELD = "unknown field ";

  private Problems() {}

  /// A body that is not JSON.
  public static Response unreadable(String why) {
    return Response.problem(400, why);
  }

  /// A body that is JSON, but invalid.
  public static Response malformed(String why) {
    var problem = Problem.of(422, why);
    return Response.problem(
        why.startsWith(UNKNOWN_FIELD) ? problem.with("field", unknownField(why)) : problem);
  }

  /// An invalid body, where the reason begins with the name of a field.
  public static Response malformedField(String why) {
    if (why.startsWith(UNKNOWN_FIELD)) return malformed(why);
    var field = why.substring(0, Math.max(0, why.indexOf(" must ")));
    var problem = Problem.of(422, why);
    return Response.problem(field.contains(" ") ? problem : problem.with("field", field));
  }

  /// The field that a reason is about, where it names one.
  public static Optional<String> field(String why) {
    if (why.startsWith(UNKNOWN_FIELD)) return Optional.of(unknownField(why));
    var field = why.substring(0, Math.max(0, why.indexOf(' ')));
    return Optional.of(field).filter(_ -> why.startsWith(field + " must "));
  }

  private static String unknownField(String why) {
    return why.substring(UNKNOWN_FIELD.length(), why.lastIndexOf(": "));
  }

  public static Response of(RequestHeaders.Wrong wrong) {
    return Response.problem(400, String.valueOf(wrong.getMessage()));
  }

  public static Response of(Parameters.Wrong wrong) {
    if (wrong.parameter().isEmpty()) return malformed(String.valueOf(wrong.getMessage()));
    return Response.problem(
        Problem.of(422, String.valueOf(wrong.getMessage())).with("parameter", wrong.parameter()));
  }

  public static Response of(Unavailable unavailable) {
    var problem = Problem.of(503, String.valueOf(unavailable.getMessage()));
    return retryLater(problem, unavailable.retryAfter());
  }

  /// Another request with the same idempotency key is in progress: no id is promised before the
  /// broker has the message (F06).
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

  /// The input is too large.
  public static Response tooLarge(String why) {
    return Response.problem(413, why);
  }

  public static Response queueFull(String why, long waiting, long max, Duration retryAfter) {
    var problem = Problem.of(429, why).with("waiting", waiting).with("max", max);
    return retryLater(problem, retryAfter);
  }

  /// A problem that may be gone when the client tries again.
  public static Response retryLater(Problem problem, Duration retryAfter) {
    var seconds = Math.max(1, retryAfter.plusMillis(999).toSeconds());
    return Response.problem(problem).withHeader("Retry-After", Long.toString(seconds));
  }
}

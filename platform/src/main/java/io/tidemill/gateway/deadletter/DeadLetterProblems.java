package io.tidemill.gateway.deadletter;

import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.http.Problem;
import io.tidemill.schema.SchemaViolation;
import java.time.Duration;
import java.util.Optional;

/// Why a dead letter was not redriven, as HTTP has it.
final class DeadLetterProblems {
  private static final Duration IN_A_MOMENT = Duration.ofSeconds(1);

  private DeadLetterProblems() {}

  static Problem of(RedriveResult.Refusal refusal) {
    var problem = Problem.of(status(refusal), refusal.why());
    return switch (refusal) {
      case RedriveResult.HandledBefore(var note) ->
          problem.with(HandledNotes.field(note), note.at().toEpochMilli());
      case RedriveResult.SchemaMismatch(var violations) ->
          problem.with("violations", SchemaViolation.encode(violations));
      case RedriveResult.NotDead(var status, _) -> problem.with("status_now", status);
      case RedriveResult.Gone _,
          RedriveResult.Impossible _,
          RedriveResult.TooLarge _,
          RedriveResult.NoQueue _,
          RedriveResult.Busy _,
          RedriveResult.OverQuota _ ->
          problem;
    };
  }

  private static int status(RedriveResult.Refusal refusal) {
    return switch (refusal) {
      case RedriveResult.Gone _ -> 404;
      case RedriveResult.HandledBefore _,
          RedriveResult.NoQueue _,
          RedriveResult.NotDead _,
          RedriveResult.Busy _ ->
          409;
      case RedriveResult.TooLarge _ -> 413;
      case RedriveResult.SchemaMismatch _, RedriveResult.Impossible _ -> 422;
      case RedriveResult.OverQuota _ -> 429;
    };
  }

  /// When it is of use to ask again; empty when it is not, or nobody knows.
  static Optional<Duration> retryAfter(RedriveResult.Refusal refusal) {
    if (refusal instanceof RedriveResult.Busy) return Optional.of(IN_A_MOMENT);
    if (refusal instanceof RedriveResult.OverQuota(_, var after)) return Optional.of(after);
    return Optional.empty();
  }
}

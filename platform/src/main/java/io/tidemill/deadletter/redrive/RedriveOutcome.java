package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.ByteText;
import io.tidemill.deadletter.RedriveResult;
import java.util.Optional;

/// The final outcome of one dead letter of a [Redrive].
///
/// @param id of the dead letter
/// @param detail its destination, or why it was not sent
public record RedriveOutcome(String id, Kind kind, String detail) {
  private static final int LONGEST_DETAIL = 500;
  private static final String SENT_BEFORE = "it had gone when its gateway stopped";

  public enum Kind {
    REDRIVEN,
    DISCARDED,
    FAILED,
    SKIPPED;

    /// In results, and as the name of its counter.
    public String wire() {
      return switch (this) {
        case REDRIVEN -> "redriven";
        case DISCARDED -> "discarded";
        case FAILED -> "failed";
        case SKIPPED -> "skipped";
      };
    }
  }

  public RedriveOutcome {
    detail = ByteText.cut(detail, LONGEST_DETAIL);
  }

  /// How a dead letter ends after this attempt; empty when it is to be tried again in a moment.
  static Optional<RedriveOutcome> after(RedriveAttempt attempt, String id) {
    return switch (attempt) {
      case RedriveAttempt.Answered(var result) -> after(result, id);
      case RedriveAttempt.AlreadySent() -> ended(id, Kind.REDRIVEN, SENT_BEFORE);
      case RedriveAttempt.Discarded() -> ended(id, Kind.DISCARDED, "");
      case RedriveAttempt.Missing(var action, var wasBegun) when wasBegun ->
          ended(id, doneBy(action), SENT_BEFORE);
      case RedriveAttempt.Missing _ -> ended(id, Kind.SKIPPED, "it is no longer there");
      case RedriveAttempt.UnknownSource() ->
          ended(id, Kind.FAILED, "this gateway has no such source");
      case RedriveAttempt.Crashed(var why) -> ended(id, Kind.FAILED, why);
      case RedriveAttempt.Exhausted(var attempts) ->
          ended(id, Kind.FAILED, "it could not go in " + attempts + " tries");
    };
  }

  private static Optional<RedriveOutcome> after(RedriveResult result, String id) {
    return switch (result) {
      case RedriveResult.Busy _ -> Optional.empty();
      case RedriveResult.Sent sent -> ended(id, Kind.REDRIVEN, sent.destination());
      case RedriveResult.HandledBefore before -> ended(id, Kind.SKIPPED, before.why());
      case RedriveResult.Gone gone -> ended(id, Kind.SKIPPED, gone.why());
      case RedriveResult.Refusal refusal -> ended(id, Kind.FAILED, refusal.why());
    };
  }

  private static Kind doneBy(Redrive.Action action) {
    return switch (action) {
      case REDRIVE -> Kind.REDRIVEN;
      case DISCARD -> Kind.DISCARDED;
    };
  }

  private static Optional<RedriveOutcome> ended(String id, Kind kind, String detail) {
    return Optional.of(new RedriveOutcome(id, kind, detail));
  }
}

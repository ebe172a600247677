package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.ByteText;
import io.tidemill.deadletter.RedriveResult;
import java.util.Optional;

/// What became of one dead letter of a [Redrive].
///
/// @param id of the dead letter
/// @param detail where it went, or why it did not
public record RedriveOutcome(String id, Kind kind, String detail) {
  private static final int LONGEST_DETAIL = 500;

  /// How it ended.
  public enum Kind {
    REDRIVEN,
    DISCARDED,
    FAILED,
    SKIPPED;

    /// As it stands in results, and as it is counted.
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

  /// How a dead letter ends after this result; empty when it is to be tried again in a moment.
  static Optional<RedriveOutcome> after(RedriveResult result, String id) {
    return switch (result) {
      case RedriveResult.Busy _ -> Optional.empty();
      case RedriveResult.Sent sent -> ended(id, Kind.REDRIVEN, sent.destination());
      case RedriveResult.HandledBefore before -> ended(id, Kind.SKIPPED, before.why());
      case RedriveResult.Gone gone -> ended(id, Kind.SKIPPED, gone.why());
      case RedriveResult.Refusal refusal -> ended(id, Kind.FAILED, refusal.why());
    };
  }

  private static Optional<RedriveOutcome> ended(String id, Kind kind, String detail) {
    return Optional.of(new RedriveOutcome(id, kind, detail));
  }
}

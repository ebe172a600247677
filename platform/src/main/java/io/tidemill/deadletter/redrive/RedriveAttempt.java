package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.RedriveResult;

/// What happened when a [RedriveExecution] tried to redrive or discard one dead letter.
sealed interface RedriveAttempt {
  /// The source has answered.
  record Answered(RedriveResult result) implements RedriveAttempt {}

  /// An earlier attempt, whose outcome was not recorded, had sent it.
  record AlreadySent() implements RedriveAttempt {}

  record Discarded() implements RedriveAttempt {}

  /// The source does not have it.
  ///
  /// @param wasBegun whether an earlier attempt may have removed it
  record Missing(Redrive.Action action, boolean wasBegun) implements RedriveAttempt {}

  record UnknownSource() implements RedriveAttempt {}

  /// An unexpected exception.
  record Crashed(String why) implements RedriveAttempt {}

  /// The source was busy too often.
  record Exhausted(int attempts) implements RedriveAttempt {}
}

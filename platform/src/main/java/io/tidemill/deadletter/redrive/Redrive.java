package io.tidemill.deadletter.redrive;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A selection of dead letters that are redriven or discarded one after the other: the order and
/// its progress.
///
/// @param endedAt null = it is running
/// @param waitsFor what keeps it from continuing; empty = nothing
public record Redrive(
    String id,
    Order order,
    State state,
    Counts counts,
    Position position,
    Instant startedAt,
    @Nullable Instant endedAt,
    String waitsFor) {
  public enum Action {
    REDRIVE,
    DISCARD;

    /// In requests, in Redis and in answers.
    public String wire() {
      return switch (this) {
        case REDRIVE -> "redrive";
        case DISCARD -> "discard";
      };
    }
  }

  /// A redrive runs until its last dead letter has an outcome, or until it is canceled.
  public enum State {
    RUNNING,
    DONE,
    CANCELED;

    /// In Redis and in answers.
    public String wire() {
      return switch (this) {
        case RUNNING -> "running";
        case DONE -> "done";
        case CANCELED -> "canceled";
      };
    }
  }

  /// @param by the user who started it; empty = not known
  /// @param filter describes the selection to people
  /// @param rate dead letters per second at most
  public record Order(Action action, String by, String source, JsonNode filter, int rate) {}

  /// The number of dead letters by outcome.
  public record Counts(long total, long redriven, long discarded, long failed, long skipped) {}

  /// @param next the number of the first dead letter without an outcome
  /// @param begun the one that a process was about to handle; null = none
  public record Position(int next, @Nullable Begun begun) {}

  /// @param checkpoint tells whether it was sent, see
  ///   [io.tidemill.deadletter.Redelivery#checkpoint]
  public record Begun(int number, String checkpoint) {}

  public boolean hasEnded() {
    return endedAt != null;
  }

  /// Whether the redrive is done when this dead letter has its outcome.
  boolean isLast(int number) {
    return number + 1 >= counts.total();
  }

  /// The checkpoint of this dead letter when a process was about to handle it.
  Optional<String> checkpoint(int number) {
    return Optional.ofNullable(position.begun())
        .filter(begun -> begun.number() == number)
        .map(Begun::checkpoint);
  }
}

package io.tidemill.deadletter.redrive;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Many dead letters that are redriven or discarded one after the other: what was asked for, and
/// how far it is.
///
/// @param endedAt null = it is still running
/// @param waitsFor what keeps it from going on; empty = nothing
public record Redrive(
    String id,
    Order order,
    State state,
    Counts counts,
    Position position,
    Instant startedAt,
    @Nullable Instant endedAt,
    String waitsFor) {
  /// What is to be done with each dead letter.
  public enum Action {
    REDRIVE,
    DISCARD;

    /// As it is asked for, stored and told.
    public String wire() {
      return switch (this) {
        case REDRIVE -> "redrive";
        case DISCARD -> "discard";
      };
    }
  }

  /// A redrive runs until it is done with its last dead letter, or somebody cancels it.
  public enum State {
    RUNNING,
    DONE,
    CANCELED;

    /// As it is stored and told.
    public String wire() {
      return switch (this) {
        case RUNNING -> "running";
        case DONE -> "done";
        case CANCELED -> "canceled";
      };
    }
  }

  /// What was asked for.
  ///
  /// @param by who asked; empty = nobody knows
  /// @param filter which dead letters were chosen, for people
  /// @param rate how many a second at most
  public record Order(Action action, String by, String source, JsonNode filter, int rate) {}

  /// How many ended how.
  public record Counts(long total, long redriven, long discarded, long failed, long skipped) {}

  /// @param next the number of the first dead letter without an outcome
  /// @param begun the one that somebody was about to handle; null = none
  public record Position(int next, @Nullable Begun begun) {}

  /// @param checkpoint what tells whether it was sent, see
  ///   [io.tidemill.deadletter.Redelivery#checkpoint]
  public record Begun(int number, String checkpoint) {}

  public boolean hasEnded() {
    return endedAt != null;
  }

  /// The checkpoint of this dead letter when somebody was about to handle it.
  Optional<String> checkpoint(int number) {
    return Optional.ofNullable(position.begun())
        .filter(begun -> begun.number() == number)
        .map(Begun::checkpoint);
  }
}

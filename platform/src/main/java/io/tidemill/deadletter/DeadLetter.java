package io.tidemill.deadletter;

import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One dead letter among all that were seen.
///
/// @param row as lists show it
/// @param at milliseconds since the epoch
/// @param fault why it can't be redriven as it is; null when it can
public record DeadLetter(
    ObjectNode row,
    String source,
    String id,
    long at,
    String reason,
    String message,
    DeathCause cause,
    State state,
    @Nullable String fault) {
  public static final Comparator<DeadLetter> NEWEST =
      Comparator.comparingLong(DeadLetter::at)
          .reversed()
          .thenComparing(DeadLetter::source)
          .thenComparing(DeadLetter::id);

  /// What was done about it.
  public enum State {
    WAITING,
    REDRIVEN,
    DISCARDED;

    /// @param row as lists show it
    public static State of(ObjectNode row) {
      if (row.has(HandledNotes.DISCARDED_AT)) return DISCARDED;
      return row.has(HandledNotes.REDRIVEN_AT) ? REDRIVEN : WAITING;
    }

    /// As it is asked for.
    public String wire() {
      return switch (this) {
        case WAITING -> "waiting";
        case REDRIVEN -> "redriven";
        case DISCARDED -> "discarded";
      };
    }
  }

  private static final int LONGEST_MESSAGE = 2_000;

  public static DeadLetter of(String source, ObjectNode row) {
    var reason = row.path("reason").asString("");
    var message = ByteText.cut(row.path("message").asString(""), LONGEST_MESSAGE);
    var cause = DeathCause.of(source, reason, message);
    row.put("message", message);
    row.put("cause", cause.id());
    var fault = row.path("fault").asString("");
    return new DeadLetter(
        row,
        source,
        row.path("id").asString(""),
        row.path("ts").asLong(0),
        reason,
        message,
        cause,
        State.of(row),
        fault.isEmpty() ? null : fault);
  }

  /// @param lower in lower case
  boolean says(String lower) {
    return has(id, lower)
        || has(message, lower)
        || has(reason, lower)
        || has(row.path("key").asString(""), lower)
        || has(row.path("origin").asString(""), lower)
        || has(row.path("origin_id").asString(""), lower)
        || has(row.path("job_id").asString(""), lower);
  }

  private static boolean has(String text, String lower) {
    return text.toLowerCase(Locale.ROOT).contains(lower);
  }
}

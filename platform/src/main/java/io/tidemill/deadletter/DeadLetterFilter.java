package io.tidemill.deadletter;

import io.tidemill.deadletter.DeadLetter.State;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Which dead letters somebody wants.
///
/// @param text what they must say somewhere, in any case; empty = anything
/// @param cause the id of their [DeathCause]; empty = any
/// @param state null = any but those that were discarded
public record DeadLetterFilter(
    String text,
    String cause,
    @Nullable Instant since,
    @Nullable Instant until,
    @Nullable State state)
    implements Predicate<DeadLetter> {
  public boolean isNone() {
    return text.isEmpty() && cause.isEmpty() && since == null && until == null && state == null;
  }

  @Override
  public boolean test(DeadLetter letter) {
    if (state == null ? letter.state() == State.DISCARDED : letter.state() != state) return false;
    if (!cause.isEmpty() && !cause.equals(letter.cause().id())) return false;
    if (since != null && letter.at() < since.toEpochMilli()) return false;
    if (until != null && letter.at() >= until.toEpochMilli()) return false;
    return text.isEmpty() || letter.says(text.toLowerCase(Locale.ROOT));
  }

  /// As a redrive remembers it.
  public ObjectNode encode() {
    var tree = Json.object();
    if (!text.isEmpty()) tree.put("q", text);
    if (!cause.isEmpty()) tree.put("cause", cause);
    if (since != null) tree.put("since", since.toEpochMilli());
    if (until != null) tree.put("until", until.toEpochMilli());
    return tree;
  }
}

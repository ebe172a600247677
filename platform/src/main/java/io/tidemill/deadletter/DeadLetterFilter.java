package io.tidemill.deadletter;

import io.tidemill.deadletter.DeadLetter.State;
import io.tidemill.http.Parameters;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which letters somebody wants.
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
  private static final int LONGEST = 1_000;
  private static final List<String> STATES = Stream.of(State.values()).map(State::wire).toList();
  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,15}");
  private static final Pattern CAUSE = Pattern.compile("[0-9a-f]{16}");

  public static DeadLetterFilter of(Parameters parameters) {
    return new DeadLetterFilter(
        parameters.text("q", LONGEST),
        cause(parameters.text("cause", LONGEST)),
        time(parameters, "since", false),
        time(parameters, "until", true),
        state(parameters.oneOf("state", STATES)));
  }

  private static @Nullable State state(@Nullable String wire) {
    for (var state : State.values()) if (state.wire().equals(wire)) return state;
    return null;
  }

  /// What a redrive or discard of many asks for.
  ///
  /// @param state which of them it may take; null = any but those that were discarded
  ///
  /// @throws Parameters.Wrong that names the field
  public static DeadLetterFilter of(JsonNode form, @Nullable State state) {
    return new DeadLetterFilter(
        text(form, "q"),
        cause(text(form, "cause")),
        time(form, "since"),
        time(form, "until"),
        state);
  }

  private static String cause(String text) {
    if (text.isEmpty() || CAUSE.matcher(text).matches()) return text;
    throw new Parameters.Wrong("cause", "16 hexadecimal digits");
  }

  private static @Nullable Instant time(Parameters parameters, String name, boolean end) {
    var text = parameters.text(name, LONGEST);
    return MILLIS.matcher(text).matches()
        ? Instant.ofEpochMilli(Long.parseLong(text))
        : parameters.date(name, end);
  }

  private static String text(JsonNode form, String name) {
    var node = form.path(name);
    if (node.isMissingNode() || node.isNull()) return "";
    if (!node.isString() || node.stringValue().length() > LONGEST) {
      throw new Parameters.Wrong(name, "a text of at most " + LONGEST + " characters");
    }
    return node.stringValue().strip();
  }

  private static @Nullable Instant time(JsonNode form, String name) {
    var node = form.path(name);
    if (node.isMissingNode() || node.isNull()) return null;
    if (!node.isIntegralNumber() || !MILLIS.matcher(node.asString()).matches()) {
      throw new Parameters.Wrong(name, "milliseconds since 1970");
    }
    return Instant.ofEpochMilli(node.longValue());
  }

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

  public ObjectNode encode() {
    var tree = Json.object();
    if (!text.isEmpty()) tree.put("q", text);
    if (!cause.isEmpty()) tree.put("cause", cause);
    if (since != null) tree.put("since", since.toEpochMilli());
    if (until != null) tree.put("until", until.toEpochMilli());
    return tree;
  }
}

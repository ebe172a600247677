package io.tidemill.deadletter.redrive;

import io.tidemill.deadletter.DeadLetterRef;
import io.tidemill.deadletter.redrive.Redrive.Action;
import io.tidemill.deadletter.redrive.Redrive.State;
import io.tidemill.deadletter.redrive.RedriveStore.Next;
import io.tidemill.deadletter.redrive.RedriveStore.RecordedOutcome;
import io.tidemill.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How redrives stand in Redis, and what the scripts answer; the scripts use the same names.
final class RedriveCodec {
  private static final String ID = "id";
  private static final String ACTION = "action";
  private static final String BY = "by";
  private static final String SOURCE = "source";
  private static final String FILTER = "filter";
  private static final String RATE = "rate";
  private static final String STATE = "state";
  private static final String STARTED_AT = "startedAt";
  private static final String ENDED_AT = "endedAt";
  private static final String TOTAL = "total";
  private static final String NEXT = "next";
  private static final String DOING = "doing";
  private static final String MARK = "mark";
  private static final String TROUBLE = "trouble";
  private static final String RUN = "run"; // the fence

  /// All fields of the hash.
  static final Set<String> FIELDS =
      Set.of(
          ID,
          ACTION,
          BY,
          SOURCE,
          FILTER,
          RATE,
          STATE,
          STARTED_AT,
          ENDED_AT,
          TOTAL,
          RedriveOutcome.Kind.REDRIVEN.wire(),
          RedriveOutcome.Kind.DISCARDED.wire(),
          RedriveOutcome.Kind.FAILED.wire(),
          RedriveOutcome.Kind.SKIPPED.wire(),
          NEXT,
          DOING,
          MARK,
          TROUBLE,
          RUN);

  private RedriveCodec() {}

  /// Fields and values in turn.
  static List<String> encode(Redrive.Order order) {
    return List.of(
        ACTION,
        order.action().wire(),
        BY,
        order.by(),
        SOURCE,
        order.source(),
        FILTER,
        Json.text(order.filter()),
        RATE,
        String.valueOf(order.rate()));
  }

  /// Empty when there is no such redrive.
  static Optional<Redrive> decode(Map<String, String> fields) {
    if (fields.isEmpty()) return Optional.empty();
    var endedAt = fields.get(ENDED_AT);
    return Optional.of(
        new Redrive(
            fields.getOrDefault(ID, ""),
            order(fields),
            state(fields.getOrDefault(STATE, "")),
            counts(fields),
            new Redrive.Position((int) number(fields, NEXT), begun(fields)),
            Instant.ofEpochMilli(number(fields, STARTED_AT)),
            endedAt == null ? null : Instant.ofEpochMilli(Long.parseLong(endedAt)),
            fields.getOrDefault(TROUBLE, "")));
  }

  private static Redrive.Order order(Map<String, String> fields) {
    return new Redrive.Order(
        Action.DISCARD.wire().equals(fields.get(ACTION)) ? Action.DISCARD : Action.REDRIVE,
        fields.getOrDefault(BY, ""),
        fields.getOrDefault(SOURCE, ""),
        Json.parse(fields.getOrDefault(FILTER, "{}")),
        Math.max(1, (int) number(fields, RATE)));
  }

  private static Redrive.Counts counts(Map<String, String> fields) {
    return new Redrive.Counts(
        number(fields, TOTAL),
        number(fields, RedriveOutcome.Kind.REDRIVEN.wire()),
        number(fields, RedriveOutcome.Kind.DISCARDED.wire()),
        number(fields, RedriveOutcome.Kind.FAILED.wire()),
        number(fields, RedriveOutcome.Kind.SKIPPED.wire()));
  }

  private static Redrive.@Nullable Begun begun(Map<String, String> fields) {
    var number = fields.get(DOING);
    if (number == null) return null;
    return new Redrive.Begun(Integer.parseInt(number), fields.getOrDefault(MARK, ""));
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(fields.getOrDefault(name, "0"));
  }

  private static State state(String wire) {
    for (var state : State.values()) if (state.wire().equals(wire)) return state;
    throw new IllegalStateException("a redrive is " + wire);
  }

  /// The answer to a step or a note.
  static Next next(String answer) {
    return switch (answer) {
      case "go" -> Next.GO;
      case "done" -> Next.DONE;
      case "canceled" -> Next.CANCELED;
      case "fenced" -> Next.FENCED;
      default -> throw new IllegalStateException("a redrive goes on with " + answer);
    };
  }

  /// The answer to who wants to cancel one: how it has ended; empty when there is none.
  static Optional<State> canceled(String answer) {
    return answer.equals("unknown") ? Optional.empty() : Optional.of(state(answer));
  }

  static List<String> encode(List<DeadLetterRef> refs) {
    var texts = new ArrayList<String>();
    for (var ref : refs) texts.add(ref.source() + " " + ref.id());
    return texts;
  }

  static DeadLetterRef decodeRef(String text) {
    var blank = text.indexOf(' ');
    return new DeadLetterRef(text.substring(0, blank), text.substring(blank + 1));
  }

  /// A JSON object, to which the script adds when it was noted.
  static String encode(RedriveOutcome outcome) {
    return Json.text(
        Json.object()
            .put("id", outcome.id())
            .put("status", outcome.kind().wire())
            .put("detail", outcome.detail()));
  }

  static RecordedOutcome decodeResult(String text) {
    var tree = Json.parse(text);
    var status = tree.path("status").asString("");
    for (var kind : RedriveOutcome.Kind.values()) {
      if (!kind.wire().equals(status)) continue;
      var outcome =
          new RedriveOutcome(tree.path("id").asString(""), kind, tree.path("detail").asString(""));
      return new RecordedOutcome(outcome, Instant.ofEpochMilli(tree.path("at").asLong(0)));
    }
    throw new IllegalStateException("a dead letter ended as " + status);
  }
}

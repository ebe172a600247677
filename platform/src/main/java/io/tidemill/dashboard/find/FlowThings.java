package io.tidemill.dashboard.find;

import io.tidemill.broker.kafka.KafkaRecord;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.flow.FlowCodec;
import io.tidemill.contract.flow.FlowEvent;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.store.redis.Glance;
import io.tidemill.store.search.things.Thing;
import io.tidemill.store.search.things.ThingIndex;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Workflows or tasks as things that can be found: their events say which changed, their records
/// what they are. Where there is no record (yet), the event has to do.
final class FlowThings {
  private static final List<String> PARTS =
      List.of("error", "result", "summary", "input", "data", "steps", "more");

  private final FlowKind kind;
  private final Glance glance;
  private final Duration keep;

  /// @param keep how long there are records of those that have ended
  FlowThings(FlowKind kind, Glance glance, Duration keep) {
    this.kind = kind;
    this.glance = glance;
    this.keep = keep;
  }

  /// What became of one of them.
  ///
  /// @param events the latest comes last
  /// @param at the record of the latest
  private record Change(List<FlowEvent> events, KafkaRecord at) {
    static Change first(FlowEvent event, KafkaRecord at) {
      return new Change(List.of(event), at);
    }

    Change then(Change next) {
      return new Change(Stream.concat(events.stream(), next.events.stream()).toList(), next.at);
    }

    FlowEvent latest() {
      return events.getLast();
    }
  }

  void put(List<KafkaRecord> records, ThingIndex index) {
    var changes = new LinkedHashMap<String, Change>();
    for (var record : records) {
      var value = record.value();
      if (value != null
          && FlowCodec.decode(value) instanceof Decoded.Message(var message)
          && FlowNames.isId(message.event().id())) {
        var event = message.event();
        changes.merge(event.id(), Change.first(event, record), Change::then);
      }
    }
    var found =
        glance
            .hashes(changes.keySet().stream().map(kind::key).toList(), Thing.LONGEST_TEXT)
            .iterator();
    changes.forEach((id, change) -> put(id, change, found.next(), index));
  }

  private void put(String id, Change change, Map<String, String> record, ThingIndex index) {
    var status = status(change, record);
    var before = record.isEmpty() ? index.find(kind.wire(), id).orElse(null) : null;
    var title = title(change, record);
    var text = new StringJoiner("\n");
    // Who has the record needs of the events only what may not be in it yet.
    if (record.isEmpty()) {
      for (var event : change.events().reversed()) text.add(PlainText.of(payload(event)));
    } else if (!isRecorded(change)) {
      text.add(PlainText.of(payload(change.latest())));
    }
    text.add(text(record));
    if (before != null) text.add(before.text());
    var isOver = FlowStatus.of(status).map(FlowStatus::isTerminal).orElse(false);
    var at = change.at().timestamp();
    var thing =
        new Thing(
            kind.wire(),
            id,
            title.isEmpty() && before != null ? before.title() : title,
            text.toString(),
            status,
            at,
            "",
            isOver ? at + keep.toMillis() : 0);
    index.put(thing);
    if (kind == FlowKind.TASK) putDead(thing, why(change.latest(), record), index);
  }

  // Where in the code something failed is for logs.
  private static String payload(FlowEvent event) {
    var tree = FlowCodec.payload(event);
    for (var name : List.of("error", "finalError")) {
      if (tree.get(name) instanceof ObjectNode error) error.remove("stack");
    }
    return tree.toString();
  }

  private static String why(FlowEvent event, Map<String, String> record) {
    return event instanceof FlowEvent.TaskDeadLetter dead
        ? dead.finalError().message()
        : FlowRecords.object(record, "error").path("message").asString("");
  }

  // The letter of a dead task is the task itself.
  private static void putDead(Thing task, String why, ThingIndex index) {
    if (!task.status().equals(FlowStatus.DEAD_LETTER.wire())) {
      index.remove(Kind.DEAD.wire(), task.id());
      return;
    }
    index.put(
        new Thing(
            Kind.DEAD.wire(),
            task.id(),
            task.title() + ": " + why,
            task.text(),
            DeadThings.STATUS,
            task.at(),
            FlowNames.TASKS,
            task.until()));
  }

  // What a foreign processor says is in its event before it is in the record.
  private static String status(Change change, Map<String, String> record) {
    var known = record.getOrDefault("status", "");
    if (!known.isEmpty() && isRecorded(change)) return known;
    var said =
        switch (change.latest()) {
          case FlowEvent.WorkflowProcessing _, FlowEvent.StepCompleted _ -> FlowStatus.PROCESSING;
          case FlowEvent.TaskProcessing _ -> FlowStatus.PROCESSING;
          case FlowEvent.WorkflowCompleted _, FlowEvent.TaskCompleted _ -> FlowStatus.COMPLETED;
          case FlowEvent.WorkflowFailed _ -> FlowStatus.FAILED;
          case FlowEvent.TaskFailed _ -> FlowStatus.RETRYING;
          case FlowEvent.TaskDeadLetter _ -> FlowStatus.DEAD_LETTER;
          case FlowEvent.WorkflowCreated _, FlowEvent.TaskCreated _, FlowEvent.Unknown _ -> null;
        };
    if (said != null) return said.wire();
    return known.isEmpty() ? FlowStatus.PENDING.wire() : known;
  }

  private static boolean isRecorded(Change change) {
    return change.at().header(FlowNames.RECORDED).isPresent();
  }

  private static String title(Change change, Map<String, String> record) {
    for (var event : change.events()) {
      if (event instanceof FlowEvent.WorkflowCreated created) return created.name();
      if (event instanceof FlowEvent.TaskCreated created) return created.taskType();
    }
    return record.getOrDefault("name", record.getOrDefault("type", ""));
  }

  private static String error(Map<String, String> record) {
    var error = FlowRecords.value(record.get("error"));
    if (error instanceof ObjectNode object) object.remove("stack");
    return error == null ? "" : error.toString();
  }

  private static String text(Map<String, String> record) {
    var parts = new StringJoiner("\n");
    for (var name : PARTS) {
      var part =
          PlainText.join(
              name, name.equals("error") ? error(record) : record.getOrDefault(name, ""));
      if (!part.isEmpty()) parts.add(part);
    }
    record.forEach((name, value) -> {
      if (name.startsWith("step:")) parts.add(PlainText.join("result", value));
    });
    return parts.toString();
  }
}

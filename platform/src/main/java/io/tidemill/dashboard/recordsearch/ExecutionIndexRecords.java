package io.tidemill.dashboard.recordsearch;

import io.tidemill.contract.Decoded;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.recordsearch.IndexedRecord;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.redis.BulkRead;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/// Workflows or tasks as index records. Events tell which have changed, the Redis records have the
/// content; without a record the events are used.
final class ExecutionIndexRecords {
  private static final List<String> PARTS =
      List.of("error", "result", "summary", "input", "data", "steps", "more");

  private final ExecutionKind kind;
  private final BulkRead bulkRead;
  private final Duration keep;

  /// @param keep how long Redis keeps records of finished executions
  ExecutionIndexRecords(ExecutionKind kind, BulkRead bulkRead, Duration keep) {
    this.kind = kind;
    this.bulkRead = bulkRead;
    this.keep = keep;
  }

  /// The changes of one execution.
  ///
  /// @param events the latest comes last
  /// @param at the Kafka record of the latest
  private record Change(List<ExecutionEvent> events, KafkaRecord at) {
    static Change first(ExecutionEvent event, KafkaRecord at) {
      return new Change(List.of(event), at);
    }

    Change then(Change next) {
      return new Change(Stream.concat(events.stream(), next.events.stream()).toList(), next.at);
    }

    ExecutionEvent latest() {
      return events.getLast();
    }
  }

  void put(List<KafkaRecord> records, RecordIndex index) {
    var changes = new LinkedHashMap<String, Change>();
    for (var record : records) {
      var value = record.value();
      if (value != null
          && ExecutionCodec.decode(value) instanceof Decoded.Message(var message)
          && ExecutionNames.isId(message.event().id())) {
        var event = message.event();
        changes.merge(event.id(), Change.first(event, record), Change::then);
      }
    }
    var found =
        bulkRead
            .hashes(changes.keySet().stream().map(kind::key).toList(), IndexedRecord.LONGEST_TEXT)
            .iterator();
    changes.forEach((id, change) -> put(id, change, found.next(), index));
  }

  private void put(String id, Change change, Map<String, String> record, RecordIndex index) {
    var status = status(change, record);
    var before = record.isEmpty() ? index.find(kind.wire(), id).orElse(null) : null;
    var title = title(change, record);
    var text = new StringJoiner("\n");
    // With a record, events are needed only for what is not recorded yet.
    if (record.isEmpty()) {
      for (var event : change.events().reversed()) text.add(PlainText.of(payload(event)));
    } else if (!isRecorded(change)) {
      text.add(PlainText.of(payload(change.latest())));
    }
    text.add(text(record));
    if (before != null) text.add(before.text());
    var isTerminal = ExecutionStatus.of(status).map(ExecutionStatus::isTerminal).orElse(false);
    var at = change.at().timestamp();
    var indexed =
        new IndexedRecord(
            kind.wire(),
            id,
            title.isEmpty() && before != null ? before.title() : title,
            text.toString(),
            status,
            at,
            "",
            isTerminal ? at + keep.toMillis() : 0);
    index.put(indexed);
    if (kind == ExecutionKind.TASK) putDead(indexed, error(change.latest(), record), index);
  }

  // Stack traces are not searched.
  private static String payload(ExecutionEvent event) {
    var tree = ExecutionCodec.payload(event);
    for (var name : List.of("error", "finalError")) {
      if (tree.get(name) instanceof ObjectNode error) error.remove("stack");
    }
    return tree.toString();
  }

  private static String error(ExecutionEvent event, Map<String, String> record) {
    return event instanceof ExecutionEvent.TaskDeadLetter dead
        ? dead.finalError().message()
        : ExecutionRecords.object(record, "error").path("message").asString("");
  }

  // A dead task is its own dead letter.
  private static void putDead(IndexedRecord task, String error, RecordIndex index) {
    if (!task.status().equals(ExecutionStatus.DEAD_LETTER.wire())) {
      index.remove(RecordKind.DEAD.wire(), task.id());
      return;
    }
    index.put(
        new IndexedRecord(
            RecordKind.DEAD.wire(),
            task.id(),
            error.isEmpty() ? task.title() : task.title() + ": " + error,
            task.text(),
            DeadLetterRecords.STATUS,
            task.at(),
            ExecutionNames.TASKS,
            task.until()));
  }

  // Events of other processors arrive before the record is updated.
  private static String status(Change change, Map<String, String> record) {
    var known = record.getOrDefault("status", "");
    if (!known.isEmpty() && isRecorded(change)) return known;
    var announced =
        switch (change.latest()) {
          case ExecutionEvent.WorkflowProcessing _, ExecutionEvent.StepCompleted _ ->
              ExecutionStatus.PROCESSING;
          case ExecutionEvent.TaskProcessing _ -> ExecutionStatus.PROCESSING;
          case ExecutionEvent.WorkflowCompleted _, ExecutionEvent.TaskCompleted _ ->
              ExecutionStatus.COMPLETED;
          case ExecutionEvent.WorkflowFailed _ -> ExecutionStatus.FAILED;
          case ExecutionEvent.TaskFailed _ -> ExecutionStatus.RETRYING;
          case ExecutionEvent.TaskDeadLetter _ -> ExecutionStatus.DEAD_LETTER;
          case ExecutionEvent.WorkflowCreated _,
              ExecutionEvent.TaskCreated _,
              ExecutionEvent.Unknown _ ->
              null;
        };
    if (announced != null) return announced.wire();
    return known.isEmpty() ? ExecutionStatus.PENDING.wire() : known;
  }

  private static boolean isRecorded(Change change) {
    return change.at().header(ExecutionNames.RECORDED).isPresent();
  }

  private static String title(Change change, Map<String, String> record) {
    for (var event : change.events()) {
      if (event instanceof ExecutionEvent.WorkflowCreated created) return created.name();
      if (event instanceof ExecutionEvent.TaskCreated created) return created.taskType();
    }
    return record.getOrDefault("name", record.getOrDefault("type", ""));
  }

  private static String error(Map<String, String> record) {
    var error = ExecutionRecords.value(record.get("error"));
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

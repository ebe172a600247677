package io.tidemill.deadletter.source;

import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.deadletter.DeadLetterEdit;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.DeathReason;
import io.tidemill.deadletter.HandledDeadLetterStore.Note;
import io.tidemill.deadletter.HandledNotes;
import io.tidemill.deadletter.InvalidCursor;
import io.tidemill.deadletter.Redelivery;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.json.Json;
import io.tidemill.redis.StoreRetry;
import io.tidemill.schema.SchemaViolation;
import io.tidemill.workflow.ExecutionStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tasks that failed for good (C2.10): the dead letter is the task itself.
public final class TaskDeadLetters implements DeadLetterSource {
  private final ExecutionStore tasks;
  private final TaskRetry retry;
  private final HandledNotes notes;

  public TaskDeadLetters(ExecutionStore tasks, TaskRetry retry, HandledNotes notes) {
    this.tasks = tasks;
    this.retry = retry;
    this.notes = notes;
  }

  @Override
  public String carrier() {
    return "tasks";
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    var offset = before == null ? 0 : offset(before);
    var page =
        StoreRetry.answer(() -> tasks.list(ExecutionStatus.DEAD_LETTER, null, limit, offset));
    var next = offset + page.records().size();
    var done = notes.of(page.records().stream().map(TaskDeadLetters::name).toList());
    return new Page(
        page.records().stream().map(record -> encode(record, done.get(name(record)))).toList(),
        page.total(),
        next < page.total() && !page.records().isEmpty() ? String.valueOf(next) : null);
  }

  private static int offset(String text) {
    try {
      var offset = Integer.parseInt(text);
      if (offset >= 0) return offset;
    } catch (NumberFormatException notOurs) {
      // said below
    }
    throw new InvalidCursor(text);
  }

  @Override
  public long total() {
    return list(1, null).total();
  }

  @Override
  public long discarded() {
    return notes.discarded();
  }

  @Override
  public long waiting() {
    return Math.max(0, total() - discarded());
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return task(id)
        .map(record -> {
          var tree = encode(record, notes.of(name(record)).orElse(null));
          tree.set("task", ExecutionRecords.task(record));
          tree.put("value", record.getOrDefault("data", "{}"));
          tree.putNull("schema").put("editable", true);
          return tree;
        });
  }

  private Optional<Map<String, String>> task(String id) {
    if (!ExecutionNames.isId(id)) return Optional.empty();
    return StoreRetry.answer(() -> tasks.find(id)).filter(TaskDeadLetters::isDead);
  }

  private static boolean isDead(Map<String, String> record) {
    return ExecutionStatus.DEAD_LETTER.wire().equals(record.get("status"));
  }

  @Override
  public Optional<RedriveResult> redrive(String id, DeadLetterEdit edit, boolean again) {
    return task(id)
        .map(record -> {
          var violations = violations(record, edit);
          if (!violations.isEmpty()) return new RedriveResult.SchemaMismatch(violations);
          return redrive(record, data(edit), again);
        });
  }

  private RedriveResult redrive(
      Map<String, String> record, @Nullable JsonNode data, boolean again) {
    var before = notes.of(name(record));
    if (before.isPresent() && !again) return new RedriveResult.HandledBefore(before.get());
    return retry.retry(record.getOrDefault("taskId", ""), data);
  }

  // Its record is kept as long as that of any task.
  @Override
  public boolean discard(String id) {
    var task = task(id);
    task.ifPresent(record -> notes.discard(name(record)));
    return task.isPresent();
  }

  @Override
  public void tidy() {
    notes.tidy(names -> names.stream().filter(this::isGone).toList());
  }

  private boolean isGone(String name) {
    var id = name.substring(0, Math.max(0, name.lastIndexOf('@')));
    return task(id).filter(record -> name(record).equals(name)).isEmpty();
  }

  // With its end: one that begins again and dies again is another dead letter.
  private static String name(Map<String, String> record) {
    return record.getOrDefault("taskId", "") + "@" + endedAt(record);
  }

  @Override
  public Optional<List<SchemaViolation>> check(String id, DeadLetterEdit edit) {
    return task(id).map(record -> violations(record, edit));
  }

  // As it is it may begin again whatever it says: what it died of may have been mended elsewhere.
  private static List<SchemaViolation> violations(Map<String, String> record, DeadLetterEdit edit) {
    if (edit.headers() != null) return SchemaViolation.of("a task has no headers");
    if (edit.value() == null) return List.of();
    return TaskCheck.check(record.getOrDefault("type", ""), edit.value());
  }

  private static @Nullable JsonNode data(DeadLetterEdit edit) {
    return edit.value() == null ? null : Json.parse(edit.value());
  }

  // It is dead no longer when it has begun again, in one step; who died again did so later.
  @Override
  public Optional<Redelivery> redelivery(String id) {
    return task(id)
        .map(record ->
            new Redelivery() {
              @Override
              public String checkpoint() {
                return String.valueOf(endedAt(record));
              }

              @Override
              public RedriveResult send(String key) {
                return redrive(record, null, false);
              }

              @Override
              public boolean alreadySent(String checkpoint) {
                return !checkpoint.equals(checkpoint());
              }
            });
  }

  private static ObjectNode encode(Map<String, String> record, @Nullable Note note) {
    var id = record.getOrDefault("taskId", "");
    var given = ExecutionRecords.value(record.get("error"));
    JsonNode error = given == null ? Json.object() : given;
    var tree = Json.object();
    tree.put("id", id);
    tree.put("source", ExecutionNames.TASKS);
    tree.put("origin", ExecutionNames.TASKS);
    tree.put("origin_id", id);
    tree.put("type", record.get("type"));
    tree.put("attempts", ExecutionRecords.number(record, "retryCount") + 1);
    var code = error.path("code").asString("");
    tree.put("reason", code.isEmpty() ? DeathReason.UNKNOWN : code);
    tree.put("message", words(error));
    tree.put("ts", endedAt(record));
    HandledNotes.put(tree, note);
    return tree;
  }

  // A processor of another make may have written any JSON, or nothing.
  private static String words(JsonNode error) {
    var message = error.path("message").asString("");
    if (!message.isEmpty()) return message;
    if (error.isString()) return error.stringValue();
    return error.isNull() || error.isEmpty() ? "its processor gave no reason" : Json.text(error);
  }

  private static long endedAt(Map<String, String> record) {
    return Stream.of("completedAt", "createdAt")
        .flatMap(name -> ExecutionTime.decode(record.getOrDefault(name, "")).stream())
        .findFirst()
        .orElse(Instant.EPOCH)
        .toEpochMilli();
  }
}

package io.tidemill.gateway;

import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.contract.flow.FlowTime;
import io.tidemill.http.Parameters;
import io.tidemill.http.Response;
import io.tidemill.http.Stored;
import io.tidemill.store.redis.FlowStore;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Tasks that failed for good (C2.10): the letter is the task itself.
final class DeadTasks implements DeadSource {
  private final FlowStore tasks;
  private final Function<String, Response> retry;

  /// @param retry lets a task begin again, as `POST /api/tasks/{id}/retry` does
  DeadTasks(FlowStore tasks, Function<String, Response> retry) {
    this.tasks = tasks;
    this.retry = retry;
  }

  @Override
  public Page list(int limit, @Nullable String before) {
    var offset = before == null ? 0 : offset(before);
    var page = Stored.answer(() -> tasks.list(FlowStatus.DEAD_LETTER, null, limit, offset));
    var next = offset + page.records().size();
    return new Page(
        page.records().stream().map(DeadTasks::encode).toList(),
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
    throw new Parameters.Wrong("before", "the next of another page");
  }

  @Override
  public long waiting() {
    return list(1, null).total();
  }

  @Override
  public Optional<ObjectNode> find(String id) {
    return task(id)
        .map(record -> {
          var tree = encode(record);
          tree.set("task", FlowRecords.task(record));
          return tree;
        });
  }

  private Optional<Map<String, String>> task(String id) {
    if (!FlowNames.isId(id)) return Optional.empty();
    return Stored.answer(() -> tasks.find(id)).filter(DeadTasks::isDead);
  }

  private static boolean isDead(Map<String, String> record) {
    return FlowStatus.DEAD_LETTER.wire().equals(record.get("status"));
  }

  @Override
  public Optional<Response> redrive(String id, boolean again) {
    return task(id).map(_ -> retry.apply(id));
  }

  private static ObjectNode encode(Map<String, String> record) {
    var id = record.getOrDefault("taskId", "");
    var error = FlowRecords.object(record, "error");
    var tree = Json.object();
    tree.put("id", id);
    tree.put("source", FlowNames.TASKS);
    tree.put("origin", FlowNames.TASKS);
    tree.put("origin_id", id);
    tree.put("type", record.get("type"));
    tree.put("attempts", FlowRecords.number(record, "retryCount") + 1);
    tree.put("reason", error.path("code").asString("DEAD_LETTER"));
    tree.put("message", error.path("message").asString(""));
    tree.put("ts", endedAt(record));
    return tree;
  }

  private static long endedAt(Map<String, String> record) {
    return Stream.of("completedAt", "createdAt")
        .flatMap(name -> FlowTime.decode(record.getOrDefault(name, "")).stream())
        .findFirst()
        .orElse(Instant.EPOCH)
        .toEpochMilli();
  }
}

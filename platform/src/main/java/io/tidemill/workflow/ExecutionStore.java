package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.BODY;
import static io.tidemill.contract.workflow.WorkflowFields.DATA;
import static io.tidemill.contract.workflow.WorkflowFields.INPUT;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.ExecutionTime;
import io.tidemill.json.Json;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisCommand;
import io.tidemill.redis.Script;
import io.tidemill.redis.stream.StreamEntry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Workflows or tasks as their owners see them: created, listed, canceled, begun again (C2.4).
///
/// Each change is one script: all of it or nothing. Every method may throw [RedisException] and may
/// then be repeated.
public final class ExecutionStore {
  private static final Script INSPECT = Script.load(ExecutionStore.class, "inspect_executions.lua");
  private static final Script CREATE = Script.load(ExecutionStore.class, "create_execution.lua");
  private static final Script PUBLISHED = Script.load(ExecutionStore.class, "mark_published.lua");
  private static final Script CANCEL = Script.load(ExecutionStore.class, "cancel_execution.lua");
  private static final Script RESET = Script.load(ExecutionStore.class, "retry_execution.lua");
  private static final Script REPORT =
      Script.load(ExecutionStore.class, "record_foreign_event.lua");
  private static final Script NOTE =
      Script.load(ExecutionStore.class, "note_foreign_execution.lua");
  private static final Script WITHDRAW =
      Script.load(ExecutionStore.class, "withdraw_execution.lua");
  private static final Script DOUBT = Script.load(ExecutionStore.class, "take_unpublished.lua");
  private static final Script LIST = Script.load(ExecutionStore.class, "list_executions.lua");
  private static final Script SWEEP = Script.load(ExecutionStore.class, "sweep_ended.lua");

  /// The channel that announces new work to processors.
  public static final String WAKE = "wake";

  /// The channel that carries the ids of canceled executions to processors.
  public static final String CANCELS = "cancels";

  private static final String UNPUBLISHED = "unpublished";

  // Longer values are left out of lists.
  private static final int LISTED_LENGTH = 2_048;

  /// Answers of `create_execution.lua`.
  public sealed interface Created {
    /// It is noted; its event is to be published.
    record New() implements Created {}

    /// The idempotency key belongs to an earlier one with this body.
    record Known(String id, String body) implements Created {}

    /// The idempotency key belongs to an earlier one with this body, which is not published yet.
    record Busy(String body) implements Created {}

    /// Too many wait.
    record Full(long waiting) implements Created {}
  }

  /// What a script answered.
  ///
  /// @param status of the record before, where that matters; else empty
  public record Answer<E extends Enum<E>>(E what, String status) {}

  /// Answers of `cancel_execution.lua`.
  public enum Canceled {
    CANCELED,
    /// It had ended before.
    ENDED,
    GONE
  }

  /// Answers of `retry_execution.lua`.
  public enum Reset {
    RESET,
    /// Its status is none to begin again from.
    NOT,
    /// Its last event is not published yet.
    ENDING,
    GONE
  }

  /// Answers of `record_foreign_event.lua`.
  public enum Reported {
    SAVED,
    /// A processor of ours holds it, or will.
    OURS,
    /// This event was read before.
    SEEN,
    /// The record is further than the report.
    BEHIND,
    ENDED,
    GONE;

    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// One page of a list.
  public record Page(List<Map<String, String>> records, long total) {
    public static final Page EMPTY = new Page(List.of(), 0);
  }

  /// An event for followers of the execution (SSE).
  ///
  /// @param data JSON text
  public record FollowerEvent(String type, String data) {
    private static final List<String> OMITTED = List.of("originalEvent", INPUT, DATA);

    /// The payload without members that the client sent itself and that may be long.
    public static FollowerEvent of(ExecutionEvent event) {
      var data = ExecutionCodec.payload(event).without(OMITTED);
      return new FollowerEvent(event.type(), Json.text(data));
    }
  }

  /// The report of a foreign processor.
  ///
  /// @param place partition and offset of its event, `p:o`; empty when it came over HTTP
  /// @param retryAt when any processor may try again
  /// @param removed fields that it empties
  public record Report(
      String place,
      ExecutionStatus status,
      @Nullable Instant retryAt,
      @Nullable FollowerEvent event,
      Map<String, String> fields,
      List<String> removed) {
    public Report(
        String place,
        ExecutionStatus status,
        @Nullable Instant retryAt,
        @Nullable FollowerEvent event,
        Map<String, String> fields) {
      this(place, status, retryAt, event, fields, List.of());
    }
  }

  private final Redis redis;
  private final ExecutionKind kind;
  private final WorkflowsConfig config;
  private final InstantSource clock;

  public ExecutionStore(
      Redis redis, ExecutionKind kind, WorkflowsConfig config, InstantSource clock) {
    this.redis = redis;
    this.kind = kind;
    this.config = config;
    this.clock = clock;
  }

  public ExecutionKind kind() {
    return kind;
  }

  /// Notes a new one, and that its event is still to be published.
  ///
  /// @param body what must be equal when the idempotency key comes again
  public Created create(NewExecution execution, @Nullable String idempotencyKey, String body) {
    var keys = new ArrayList<>(List.of(kind.key(execution.id())));
    if (idempotencyKey != null) keys.add(idempotency(idempotencyKey));
    var arguments = new ArrayList<Object>();
    arguments.addAll(List.of(kind.topic(), kind.key(""), execution.id(), clock.millis()));
    arguments.addAll(
        List.of(execution.createdAt().toEpochMilli(), execution.group(), config.maxWaiting()));
    arguments.addAll(List.of(doubtAt(), config.keyTtl().toSeconds()));
    arguments.addAll(List.of(execution.event().type(), execution.event().data(), BODY, body));
    execution.fields().forEach((field, value) -> arguments.addAll(List.of(field, value)));
    var answer = Redis.list(redis.run(CREATE, keys, arguments));
    return switch (Redis.text(answer.getFirst())) {
      case "known" -> new Created.Known(Redis.text(answer.get(1)), Redis.text(answer.get(2)));
      case "busy" -> new Created.Busy(Redis.text(answer.get(2)));
      case "full" -> new Created.Full((Long) answer.get(1));
      default -> new Created.New();
    };
  }

  private String idempotency(String key) {
    return kind.shared("idem:" + key);
  }

  /// Records one whose `created` event another program has published.
  ///
  /// @return whether it was not known
  public boolean note(NewExecution execution) {
    var arguments = new ArrayList<Object>(List.of(kind.topic(), execution.id(), clock.millis()));
    arguments.addAll(List.of(execution.createdAt().toEpochMilli(), execution.group()));
    arguments.addAll(List.of(execution.event().type(), execution.event().data()));
    execution.fields().forEach((field, value) -> arguments.addAll(List.of(field, value)));
    return Long.valueOf(1).equals(redis.run(NOTE, List.of(kind.key(execution.id())), arguments));
  }

  /// Ends one that could not be published; its idempotency key is free again.
  ///
  /// @param error JSON text
  /// @return false when a processor has read it after all
  public boolean withdraw(String id, ExecutionEvent last, String error, Instant at) {
    var event = FollowerEvent.of(last);
    var arguments = new ArrayList<Object>(List.of(kind.topic(), id, clock.millis(), error));
    arguments.addAll(List.of(ExecutionTime.encode(at), event.type(), event.data()));
    return Redis.text(redis.run(WITHDRAW, List.of(kind.key(id)), arguments)).equals("withdrawn");
  }

  private long doubtAt() {
    return clock.millis() + config.doubtAfter().toMillis();
  }

  /// Notes that the broker has the `created` event, in this partition at this offset.
  public void published(String id, int partition, long offset) {
    redis.run(PUBLISHED, List.of(kind.key(id)), List.of(kind.topic(), id, partition, offset));
  }

  /// Notes that there is nothing to publish any more.
  public void settled(String id) {
    redis.call(RedisCommand.ZREM, kind.shared(UNPUBLISHED), id);
  }

  /// Takes some whose publication is in doubt; other callers get them after `flows.doubt-after`.
  public List<String> inDoubt(int most) {
    var arguments = List.of(clock.millis(), doubtAt(), most);
    return Redis.list(redis.run(DOUBT, List.of(kind.shared(UNPUBLISHED)), arguments)).stream()
        .map(Redis::text)
        .toList();
  }

  /// How many are still to be published, as far as is known.
  public long unpublished() {
    return redis.call(RedisCommand.ZCARD, kind.shared(UNPUBLISHED)) instanceof Long count
        ? count
        : 0;
  }

  public Optional<ExecutionRecord> load(String id) {
    return find(id).map(hash -> ExecutionRecord.of(kind, hash));
  }

  /// The fields of the hash, for views.
  public Optional<Map<String, String>> find(String id) {
    var record = Redis.map(redis.call(RedisCommand.HGETALL, kind.key(id)));
    return record.isEmpty() ? Optional.empty() : Optional.of(record);
  }

  public boolean exists(String id) {
    return Long.valueOf(1).equals(redis.call(RedisCommand.EXISTS, kind.key(id)));
  }

  /// The newest first, without values that are long and without the steps' results.
  ///
  /// @param group priority or type
  public Page list(
      @Nullable ExecutionStatus status, @Nullable String group, int limit, int offset) {
    var arguments = new ArrayList<Object>(List.of(kind.key(""), offset, limit, LISTED_LENGTH));
    var shorts = ExecutionRecords.shortFields(kind);
    arguments.add(shorts.size());
    arguments.addAll(shorts);
    arguments.addAll(ExecutionRecords.longFields(kind));
    var answer = Redis.list(redis.run(LIST, List.of(kind.shared(set(status, group))), arguments));
    return new Page(answer.stream().skip(1).map(Redis::map).toList(), (Long) answer.getFirst());
  }

  private static String set(@Nullable ExecutionStatus status, @Nullable String group) {
    if (status == null) return group == null ? "all" : "of:" + group;
    return "by:" + status.wire() + (group == null ? "" : ":" + group);
  }

  /// How many there are of each status.
  public Map<ExecutionStatus, Long> counts() {
    var counts = new EnumMap<ExecutionStatus, Long>(ExecutionStatus.class);
    for (var status : ExecutionStatus.of(kind)) {
      var count = redis.call(RedisCommand.ZCARD, kind.shared(set(status, null)));
      counts.put(status, count instanceof Long number ? number : 0L);
    }
    return counts;
  }

  /// The latest event for followers: its id and type.
  public Optional<Map.Entry<String, String>> lastEvent(String id) {
    return StreamEntry.last(redis, kind.events(id))
        .map(entry -> Map.entry(entry.id(), entry.fields().getOrDefault("type", "")));
  }

  /// Cancels what has not ended.
  ///
  /// @param last the event to publish
  /// @param error JSON text
  public Answer<Canceled> cancel(String id, ExecutionMessage last, String error) {
    var event = FollowerEvent.of(last.event());
    var arguments = new ArrayList<Object>(List.of(kind.topic(), id, clock.millis()));
    arguments.add(new String(ExecutionCodec.encode(last), UTF_8));
    arguments.addAll(List.of(event.type(), event.data(), error));
    arguments.add(ExecutionTime.encode(last.timestamp()));
    arguments.addAll(List.of(kind.shared(CANCELS), kind.shared(WAKE)));
    return answer(Canceled.class, redis.run(CANCEL, List.of(kind.key(id)), arguments));
  }

  /// Lets what has failed or was canceled begin again; its `created` event is to be published
  /// again.
  public Answer<Reset> reset(
      String id, FollowerEvent event, Map<String, String> fields, List<String> removed) {
    var arguments = new ArrayList<Object>(List.of(kind.topic(), id, clock.millis(), doubtAt()));
    arguments.addAll(List.of(event.type(), event.data(), fields.size() * 2));
    fields.forEach((field, value) -> arguments.addAll(List.of(field, value)));
    arguments.addAll(removed);
    return answer(Reset.class, redis.run(RESET, List.of(kind.key(id)), arguments));
  }

  /// Records the report of a foreign processor, unless one of ours holds the lease.
  public Answer<Reported> report(String id, Report report) {
    var retryAt = report.retryAt();
    var event = report.event();
    var arguments = new ArrayList<Object>(List.of(kind.topic(), id, clock.millis()));
    arguments.addAll(List.of(report.place(), report.status().wire()));
    arguments.add(retryAt == null ? "" : "timer");
    arguments.add(retryAt == null ? 0 : retryAt.toEpochMilli());
    arguments.add(event == null ? "" : event.type());
    arguments.add(event == null ? "" : event.data());
    arguments.add(kind.shared(WAKE));
    arguments.add(report.fields().size() * 2);
    report.fields().forEach((field, value) -> arguments.addAll(List.of(field, value)));
    arguments.addAll(report.removed());
    return answer(Reported.class, redis.run(REPORT, List.of(kind.key(id)), arguments));
  }

  /// What was deleted.
  ///
  /// @param shelves the objects of each in the object store, as JSON text
  public record Swept(long count, List<String> shelves) {}

  /// Deletes some that ended before `flows.keep`, except those with objects in the object store.
  public Swept sweep(int most) {
    return sweep(most, "0");
  }

  /// Deletes some that ended before `flows.keep`.
  public Swept sweepWithShelves(int most) {
    return sweep(most, "1");
  }

  private Swept sweep(int most, String shelves) {
    var before = clock.millis() - config.keep().toMillis();
    var arguments = List.of(kind.topic(), kind.key(""), before, most, shelves);
    var answer = Redis.list(redis.run(SWEEP, List.of(), arguments));
    return new Swept((Long) answer.getFirst(), answer.stream().skip(1).map(Redis::text).toList());
  }

  /// What waits where.
  ///
  /// @param timers that wait for their time: retries, and steps that wait for a crawl
  /// @param running that a processor holds
  /// @param unpublished whose event is not known to be in the topic
  /// @param nextTimer when the first of the timers is due
  /// @param oldestReady when the first of those that are ready was made
  /// @param dead tasks that were given up
  public record QueueState(
      long ready,
      long timers,
      long running,
      long unpublished,
      @Nullable Long nextTimer,
      @Nullable Long oldestReady,
      long dead) {}

  /// All lengths and times of the queue.
  public QueueState queueState() {
    var arguments = List.of(kind.topic(), kind.key(""), clock.millis());
    var reply = Redis.list(redis.run(INSPECT, List.of(), arguments));
    return new QueueState(
        (Long) reply.get(0),
        (Long) reply.get(1),
        (Long) reply.get(2),
        (Long) reply.get(3),
        time(reply.get(4)),
        time(reply.get(5)),
        (Long) reply.get(6));
  }

  private static @Nullable Long time(Object reply) {
    var text = Redis.text(reply);
    return text.isEmpty() ? null : (long) Double.parseDouble(text);
  }

  /// How many are ready, are held, and wait for their time.
  public Map<String, Long> depths() {
    var depths = new LinkedHashMap<String, Long>();
    for (var set : List.of("ready", "running", "timers")) {
      depths.put(set, redis.call(RedisCommand.ZCARD, kind.shared(set)) instanceof Long n ? n : 0L);
    }
    return depths;
  }

  private static <E extends Enum<E>> Answer<E> answer(Class<E> type, @Nullable Object reply) {
    var parts = Redis.list(reply);
    var what = Redis.text(parts.getFirst()).toUpperCase(Locale.ROOT);
    return new Answer<>(Enum.valueOf(type, what), parts.size() > 1 ? Redis.text(parts.get(1)) : "");
  }
}

package io.tidemill.workflow;

import static io.tidemill.contract.workflow.WorkflowFields.BOOST;
import static io.tidemill.contract.workflow.WorkflowFields.MARK;
import static io.tidemill.contract.workflow.WorkflowFields.PARTITION;
import static io.tidemill.redis.RedisCommand.LRANGE;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.redis.CallBatcher;
import io.tidemill.redis.Redis;
import io.tidemill.redis.Script;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Workflows or tasks as processors see them: admitted, held by lease, saved, ended (C2.7).
///
/// From admission on they belong to no process: when a holder dies, its executions go to another
/// one. Only the holder may write. Every method may throw [RedisException]; [#admit] and [#renew]
/// may then be repeated; a repeated [#take] leaves the first one's to run out; whether a [#save]
/// took effect its holder finds out by taking again.
public final class ExecutionQueue {
  private static final Script ADMIT = Script.load(ExecutionQueue.class, "admit_execution.lua");
  private static final Script TAKE = Script.load(ExecutionQueue.class, "take_executions.lua");
  private static final Script SAVE = Script.load(ExecutionQueue.class, "save_execution.lua");
  private static final Script RENEW = Script.load(ExecutionQueue.class, "renew_executions.lua");

  private static final Duration SILENCE = Duration.ofMinutes(5);

  /// What became of a change.
  public enum Saved {
    SAVED,
    /// Another process holds it now; nothing was written.
    FENCED,
    /// It was canceled; only the published events are recorded.
    CANCELED,
    /// It can't end: there are events to publish.
    UNSENT,
    /// It can't end: it is neither completed nor failed.
    OPEN
  }

  /// What there was to take.
  ///
  /// @param due when there will be more, as far as is known now
  public record Taken(List<LeasedExecution> executions, @Nullable Instant due) {}

  private record Admission(NewExecution execution, int partition, long offset) {}

  private record Saving(LeasedExecution execution, ExecutionChange change) {}

  private final Redis redis;
  private final ExecutionKind kind;
  private final InstantSource clock;
  private final Duration silence;
  private final boolean isReported;
  private final CallBatcher<Admission, Boolean> admissions = new CallBatcher<>(this::admitAll);
  private final CallBatcher<Saving, Saved> savings =
      new CallBatcher<>(this::saveAll, saving -> saving.change().weight());

  public ExecutionQueue(Redis redis, ExecutionKind kind, InstantSource clock) {
    this(redis, kind, clock, SILENCE, false);
  }

  /// @param silence how long a foreign processor may say nothing about what it began, when its
  ///   `created` event is read again, before it counts as dead
  /// @param isReported whether changes are noted for a [ReportQueue]
  public ExecutionQueue(
      Redis redis, ExecutionKind kind, InstantSource clock, Duration silence, boolean isReported) {
    this.redis = redis;
    this.kind = kind;
    this.clock = clock;
    this.silence = silence;
    this.isReported = isReported;
  }

  public ExecutionKind kind() {
    return kind;
  }

  /// Puts one into the queue whose `created` event was read there.
  ///
  /// @return false when it was admitted before
  public boolean admit(NewExecution execution, int partition, long offset) {
    return admissions.call(new Admission(execution, partition, offset));
  }

  private List<Boolean> admitAll(List<Admission> admissions) {
    var arguments = begin();
    for (var admission : admissions) {
      var execution = admission.execution();
      arguments.add(execution.id());
      arguments.add(execution.createdAt().toEpochMilli());
      arguments.add(execution.group());
      arguments.add(admission.partition());
      arguments.add(admission.offset());
      arguments.add(execution.fields().getOrDefault(BOOST, "0"));
      arguments.add(clock.millis() + silence.toMillis());
      arguments.addAll(
          List.of("processor.intake", execution.event().type(), execution.event().data()));
      var fields = new HashMap<>(execution.fields());
      fields.put(PARTITION, String.valueOf(admission.partition()));
      fields.put(MARK, String.valueOf(admission.offset()));
      arguments.add(fields.size() * 2);
      fields.forEach((field, value) -> {
        arguments.add(field);
        arguments.add(value);
      });
    }
    return Redis.list(redis.run(ADMIT, List.of(), arguments)).stream()
        .map(answer -> Redis.text(answer).equals("admitted"))
        .toList();
  }

  /// Leases some, by priority and age.
  public Taken take(String owner, int most, Duration lease) {
    var answer =
        Redis.list(
            redis.run(
                TAKE,
                List.of(),
                List.of(
                    kind.topic(), kind.key(""), owner, most, clock.millis(), lease.toMillis())));
    var due = Redis.text(answer.getFirst());
    return new Taken(
        answer.stream().skip(1).map(entry -> held(Redis.list(entry))).toList(),
        due.isEmpty() ? null : Instant.ofEpochMilli((long) Double.parseDouble(due)));
  }

  private static LeasedExecution held(List<Object> entry) {
    return new LeasedExecution(
        Redis.text(entry.get(0)),
        Redis.text(entry.get(1)),
        Redis.map(entry.get(2)),
        Redis.list(entry.get(3)).stream().map(Redis::text).toList());
  }

  /// Writes a change, if its holder still holds it. Changes that come at the same time go together.
  public Saved save(LeasedExecution execution, ExecutionChange change) {
    return savings.call(new Saving(execution, change));
  }

  private List<Saved> saveAll(List<Saving> savings) {
    var arguments = begin();
    arguments.add(isReported ? "1" : "");
    for (var saving : savings) {
      arguments.add(saving.execution().id());
      arguments.add(saving.execution().run());
      saving.change().addTo(arguments);
    }
    return saved(redis.run(SAVE, List.of(), arguments));
  }

  /// Prolongs leases.
  ///
  /// @return how each stands, in the same order
  public List<Saved> renew(Collection<LeasedExecution> executions, Duration lease) {
    if (executions.isEmpty()) return List.of();
    var arguments = new ArrayList<Object>(List.of(kind.topic(), kind.key("")));
    arguments.add(clock.millis() + lease.toMillis());
    for (var execution : executions) arguments.addAll(List.of(execution.id(), execution.run()));
    return saved(redis.run(RENEW, List.of(), arguments));
  }

  /// What of one's outbox is not known to be in the topic.
  public List<String> outbox(String id) {
    return Redis.list(redis.call(LRANGE, kind.outbox(id), 0, -1)).stream()
        .map(Redis::text)
        .toList();
  }

  private List<Object> begin() {
    return new ArrayList<>(
        List.of(kind.topic(), kind.key(""), clock.millis(), kind.shared(ExecutionStore.WAKE)));
  }

  private static List<Saved> saved(@Nullable Object answers) {
    return Redis.list(answers).stream()
        .map(answer -> Saved.valueOf(Redis.text(answer).toUpperCase(Locale.ROOT)))
        .toList();
  }
}

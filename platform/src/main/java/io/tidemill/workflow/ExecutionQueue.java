package io.tidemill.workflow;

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
import org.jspecify.annotations.Nullable;

/// Workflows or tasks as processors see them: admitted, held by lease, saved, ended (C2.7).
///
/// From admission on they belong to no process: what one held when it died goes to another. Only
/// the holder's word counts. Every method may throw [RedisException]; [#admit] and [#renew] may
/// then be repeated; a repeated [#take] leaves the first one's to run out; whether a [#save] took
/// effect its holder finds out by taking again.
public final class ExecutionQueue {
  private static final Script ADMIT = Script.load(ExecutionQueue.class, "admit_execution.lua");
  private static final Script TAKE = Script.load(ExecutionQueue.class, "take_executions.lua");
  private static final Script SAVE = Script.load(ExecutionQueue.class, "save_execution.lua");
  private static final Script RENEW = Script.load(ExecutionQueue.class, "renew_executions.lua");

  private static final Duration SILENCE = Duration.ofMinutes(5);

  /// What became of a change.
  public enum Saved {
    SAVED,
    /// Somebody else holds it now; nothing was written.
    FENCED,
    /// Somebody canceled it; only what was sent is noted.
    CANCELED,
    /// It can't end: there are events to publish.
    UNSENT,
    /// It can't end: it is neither completed nor failed.
    OPEN
  }

  /// What there was to take.
  ///
  /// @param due when there will be more, as far as is known now
  public record Taken(List<LeasedExecution> flows, @Nullable Instant due) {}

  private record Admission(NewExecution flow, int partition, long offset) {}

  private record Saving(LeasedExecution flow, ExecutionChange change) {}

  private final Redis redis;
  private final ExecutionKind kind;
  private final InstantSource clock;
  private final Duration silence;
  private final CallBatcher<Admission, Boolean> admissions = new CallBatcher<>(this::admitAll);
  private final CallBatcher<Saving, Saved> savings =
      new CallBatcher<>(this::saveAll, saving -> saving.change().weight());

  public ExecutionQueue(Redis redis, ExecutionKind kind, InstantSource clock) {
    this(redis, kind, clock, SILENCE);
  }

  /// @param silence how long a foreign processor may say nothing about what it began, when its
  ///   `created` event is read again, before it counts as dead
  public ExecutionQueue(Redis redis, ExecutionKind kind, InstantSource clock, Duration silence) {
    this.redis = redis;
    this.kind = kind;
    this.clock = clock;
    this.silence = silence;
  }

  public ExecutionKind kind() {
    return kind;
  }

  /// Lets one start whose `created` event lies there; unless it has been let in before.
  public boolean admit(NewExecution flow, int partition, long offset) {
    return admissions.call(new Admission(flow, partition, offset));
  }

  private List<Boolean> admitAll(List<Admission> admissions) {
    var arguments = begin();
    for (var admission : admissions) {
      var flow = admission.flow();
      arguments.add(flow.id());
      arguments.add(flow.createdAt().toEpochMilli());
      arguments.add(flow.group());
      arguments.add(admission.partition());
      arguments.add(admission.offset());
      arguments.add(flow.fields().getOrDefault("boost", "0"));
      arguments.add(clock.millis() + silence.toMillis());
      arguments.addAll(List.of("processor.intake", flow.eventType(), flow.eventData()));
      var fields = new HashMap<>(flow.fields());
      fields.put("partition", String.valueOf(admission.partition()));
      fields.put("mark", String.valueOf(admission.offset()));
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

  /// Takes up to so many, those with the best claim first.
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
  public Saved save(LeasedExecution flow, ExecutionChange change) {
    return savings.call(new Saving(flow, change));
  }

  private List<Saved> saveAll(List<Saving> savings) {
    var arguments = begin();
    for (var saving : savings) {
      arguments.add(saving.flow().id());
      arguments.add(saving.flow().run());
      saving.change().addTo(arguments);
    }
    return saved(redis.run(SAVE, List.of(), arguments));
  }

  /// Prolongs leases.
  ///
  /// @return how each stands, in the same order
  public List<Saved> renew(Collection<LeasedExecution> flows, Duration lease) {
    if (flows.isEmpty()) return List.of();
    var arguments = new ArrayList<Object>(List.of(kind.topic(), kind.key("")));
    arguments.add(clock.millis() + lease.toMillis());
    for (var flow : flows) arguments.addAll(List.of(flow.id(), flow.run()));
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
        .map(answer ->
            switch (Redis.text(answer)) {
              case "saved" -> Saved.SAVED;
              case "canceled" -> Saved.CANCELED;
              case "unsent" -> Saved.UNSENT;
              case "open" -> Saved.OPEN;
              default -> Saved.FENCED;
            })
        .toList();
  }
}

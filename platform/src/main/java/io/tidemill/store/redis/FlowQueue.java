package io.tidemill.store.redis;

import static redis.clients.jedis.Protocol.Command.LRANGE;

import io.tidemill.contract.flow.FlowKind;
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
/// the holder's word counts. Every method may throw [StoreException]; [#admit] and [#renew] may
/// then be repeated; a repeated [#take] leaves the first one's to run out; whether a [#save] took
/// effect its holder finds out by taking again.
public final class FlowQueue {
  private static final Script ADMIT = Script.load(FlowQueue.class, "flow-admit.lua");
  private static final Script TAKE = Script.load(FlowQueue.class, "flow-take.lua");
  private static final Script SAVE = Script.load(FlowQueue.class, "flow-save.lua");
  private static final Script RENEW = Script.load(FlowQueue.class, "flow-renew.lua");

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
  public record Taken(List<HeldFlow> flows, @Nullable Instant due) {}

  private record Admission(NewFlow flow, int partition, long offset) {}

  private record Saving(HeldFlow flow, FlowChange change) {}

  private final Redis redis;
  private final FlowKind kind;
  private final InstantSource clock;
  private final Duration silence;
  private final Gather<Admission, Boolean> admissions = new Gather<>(this::admitAll);
  private final Gather<Saving, Saved> savings =
      new Gather<>(this::saveAll, saving -> saving.change().weight());

  public FlowQueue(Redis redis, FlowKind kind, InstantSource clock) {
    this(redis, kind, clock, SILENCE);
  }

  /// @param silence how long a foreign processor may say nothing about what it began, when its
  ///   `created` event is read again, before it counts as dead
  public FlowQueue(Redis redis, FlowKind kind, InstantSource clock, Duration silence) {
    this.redis = redis;
    this.kind = kind;
    this.clock = clock;
    this.silence = silence;
  }

  public FlowKind kind() {
    return kind;
  }

  /// Lets one start whose `created` event lies there; unless it has been let in before.
  public boolean admit(NewFlow flow, int partition, long offset) {
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

  private static HeldFlow held(List<Object> entry) {
    return new HeldFlow(
        Redis.text(entry.get(0)),
        Redis.text(entry.get(1)),
        Redis.map(entry.get(2)),
        Redis.list(entry.get(3)).stream().map(Redis::text).toList());
  }

  /// Writes a change, if its holder still holds it. Changes that come at the same time go together.
  public Saved save(HeldFlow flow, FlowChange change) {
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
  public List<Saved> renew(Collection<HeldFlow> flows, Duration lease) {
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
        List.of(kind.topic(), kind.key(""), clock.millis(), kind.shared(FlowStore.WAKE)));
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

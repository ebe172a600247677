package io.tidemill.dashboard.overview;

import io.tidemill.broker.amqp.QueueInfo;
import io.tidemill.broker.kafka.GroupProgress;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FrontierView;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.Presence;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Asks everybody how they stand, all at once: who does not answer in time holds up nobody.
public final class Survey {
  private static final Duration LIMIT = Duration.ofMillis(1_500);
  private static final Duration ALWAYS = Duration.ZERO;
  private static final int HOSTS = 200;

  /// Whom there is to ask.
  ///
  /// @param kafka null where there is no Kafka
  /// @param queues null where there is no AMQP broker
  /// @param dead how many dead letters there are, by channel
  /// @param stores figures of each store, by its name
  public record Sources(
      Presence presence,
      JobQueue jobs,
      FrontierView frontier,
      FlowStore workflows,
      FlowStore tasks,
      @Nullable GroupProgress kafka,
      @Nullable QueueInfo queues,
      Callable<Map<String, Long>> dead,
      List<Server> servers,
      Map<String, StoreSource> stores) {
    public Sources {
      servers = List.copyOf(servers);
      stores = Map.copyOf(stores);
    }
  }

  /// A store that is asked for its figures.
  ///
  /// @param every how often that may be
  public record StoreSource(Duration every, Callable<Map<String, Long>> figures) {}

  private final InstantSource clock;
  private final LastKnown processes = new LastKnown();
  private final List<Source<?>> all = new ArrayList<>();
  private final Source<Presence.Looked> presence;
  private final Source<Map<GroupProgress.Reading, GroupProgress.Progress>> kafka;
  private final Source<Map<String, Snapshot.Queue>> queues;
  private final Source<JobQueue.Look> jobs;
  private final Source<FrontierView.Look> frontier;
  private final Source<FlowStore.Look> workflows;
  private final Source<FlowStore.Look> tasks;
  private final Source<Map<String, Long>> dead;
  private final Map<Server, @Nullable Source<String>> servers = new LinkedHashMap<>();
  private final Map<String, Source<Map<String, Long>>> stores = new LinkedHashMap<>();

  public Survey(Sources sources, InstantSource clock) {
    this.clock = clock;
    presence = source(ALWAYS, sources.presence()::look);
    jobs = source(ALWAYS, sources.jobs()::look);
    frontier = source(ALWAYS, () -> sources.frontier().look(HOSTS));
    workflows = source(ALWAYS, sources.workflows()::look);
    tasks = source(ALWAYS, sources.tasks()::look);
    dead = source(Duration.ofSeconds(5), sources.dead());
    // The dearest of all questions: every second time will do.
    kafka = source(Duration.ofSeconds(3), () -> kafka(sources.kafka()));
    queues = source(ALWAYS, () -> queues(sources.queues()));
    for (var server : sources.servers()) {
      var check = server.check();
      servers.put(server, check == null ? null : source(server.every(), check));
    }
    for (var name : List.of("index", "analytics")) {
      var store = sources.stores().get(name);
      if (store != null) stores.put(name, source(store.every(), store.figures()));
    }
  }

  /// The readings of the contracts in Kafka.
  public static List<GroupProgress.Reading> readings() {
    return Arrays.stream(Contract.values())
        .filter(contract -> contract.carrier == Contract.Carrier.KAFKA)
        .map(contract -> new GroupProgress.Reading(contract.channel, contract.group()))
        .toList();
  }

  private <T> Source<T> source(Duration every, Callable<T> question) {
    var source = new Source<>(every, question);
    all.add(source);
    return source;
  }

  private static Map<GroupProgress.Reading, GroupProgress.Progress> kafka(
      @Nullable GroupProgress kafka) throws InterruptedException {
    return kafka == null ? Map.of() : kafka.look();
  }

  private static Map<String, Snapshot.Queue> queues(@Nullable QueueInfo info) throws NotYet {
    if (info == null) return Map.of();
    if (!info.trouble().isEmpty()) throw new IllegalStateException(info.trouble());
    if (!info.isKnown()) throw new NotYet();
    var found = new LinkedHashMap<String, Snapshot.Queue>();
    for (var contract : Contract.values()) {
      if (contract.carrier != Contract.Carrier.AMQP) continue;
      info.latest(contract.channel)
          .ifPresent(depth ->
              found.put(
                  contract.channel,
                  new Snapshot.Queue(depth, info.nonEmptyFor(contract.channel).orElse(null))));
    }
    return found;
  }

  Snapshot take() throws InterruptedException {
    all.forEach(Source::ask);
    var giveUpAt = System.nanoTime() + LIMIT.toNanos();
    var states = new ArrayList<Server.State>();
    for (var each : servers.entrySet()) {
      var source = each.getValue();
      states.add(each.getKey().state(source == null ? null : source.answer(giveUpAt)));
    }
    var figures = new ArrayList<Snapshot.Store>();
    for (var each : stores.entrySet()) {
      var found = each.getValue().answer(giveUpAt);
      figures.add(
          new Snapshot.Store(each.getKey(), Objects.requireNonNullElse(found.value(), Map.of())));
    }
    var seen = processes.judge(presence.answer(giveUpAt), System.nanoTime());
    return new Snapshot(
        clock.millis(),
        seen,
        processes.lastKnown(),
        kafka.answer(giveUpAt),
        queues.answer(giveUpAt),
        jobs.answer(giveUpAt),
        frontier.answer(giveUpAt),
        workflows.answer(giveUpAt),
        tasks.answer(giveUpAt),
        dead.answer(giveUpAt),
        states,
        figures);
  }
}

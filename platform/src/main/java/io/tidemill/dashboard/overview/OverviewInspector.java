package io.tidemill.dashboard.overview;

import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.crawl.FrontierInspector;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.kafka.inspect.GroupProgress;
import io.tidemill.presence.PresenceStore;
import io.tidemill.workflow.ExecutionStore;
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
public final class OverviewInspector {
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
      PresenceStore presence,
      JobQueueInspector jobs,
      FrontierInspector frontier,
      ExecutionStore workflows,
      ExecutionStore tasks,
      @Nullable GroupProgress kafka,
      @Nullable QueueMeters queues,
      Callable<Map<String, Long>> dead,
      List<ServerState> servers,
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
  private final LastKnownProcesses processes = new LastKnownProcesses();
  private final List<OverviewSource<?>> all = new ArrayList<>();
  private final OverviewSource<PresenceStore.Looked> presence;
  private final OverviewSource<Map<GroupProgress.Reading, GroupProgress.Progress>> kafka;
  private final OverviewSource<Map<String, OverviewSnapshot.Queue>> queues;
  private final OverviewSource<JobQueueInspector.QueueState> jobs;
  private final OverviewSource<FrontierInspector.FrontierState> frontier;
  private final OverviewSource<ExecutionStore.QueueState> workflows;
  private final OverviewSource<ExecutionStore.QueueState> tasks;
  private final OverviewSource<Map<String, Long>> dead;
  private final Map<ServerState, @Nullable OverviewSource<String>> servers = new LinkedHashMap<>();
  private final Map<String, OverviewSource<Map<String, Long>>> stores = new LinkedHashMap<>();

  public OverviewInspector(Sources sources, InstantSource clock) {
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
    return Arrays.stream(ContractChannels.values())
        .filter(contract -> contract.carrier == ContractChannels.Carrier.KAFKA)
        .map(contract -> new GroupProgress.Reading(contract.channel, contract.group()))
        .toList();
  }

  private <T> OverviewSource<T> source(Duration every, Callable<T> question) {
    var source = new OverviewSource<>(every, question);
    all.add(source);
    return source;
  }

  private static Map<GroupProgress.Reading, GroupProgress.Progress> kafka(
      @Nullable GroupProgress kafka) throws InterruptedException {
    return kafka == null ? Map.of() : kafka.look();
  }

  private static Map<String, OverviewSnapshot.Queue> queues(@Nullable QueueMeters info)
      throws NotKnownYet {
    if (info == null) return Map.of();
    if (!info.trouble().isEmpty()) throw new IllegalStateException(info.trouble());
    if (!info.isKnown()) throw new NotKnownYet();
    var found = new LinkedHashMap<String, OverviewSnapshot.Queue>();
    for (var contract : ContractChannels.values()) {
      if (contract.carrier != ContractChannels.Carrier.AMQP) continue;
      info.latest(contract.channel)
          .ifPresent(depth ->
              found.put(
                  contract.channel,
                  new OverviewSnapshot.Queue(
                      depth, info.nonEmptyFor(contract.channel).orElse(null))));
    }
    return found;
  }

  OverviewSnapshot take() throws InterruptedException {
    all.forEach(OverviewSource::ask);
    var giveUpAt = System.nanoTime() + LIMIT.toNanos();
    var states = new ArrayList<ServerState.State>();
    for (var each : servers.entrySet()) {
      var source = each.getValue();
      states.add(each.getKey().state(source == null ? null : source.answer(giveUpAt)));
    }
    var figures = new ArrayList<OverviewSnapshot.Store>();
    for (var each : stores.entrySet()) {
      var found = each.getValue().answer(giveUpAt);
      figures.add(
          new OverviewSnapshot.Store(
              each.getKey(), Objects.requireNonNullElse(found.value(), Map.of())));
    }
    var seen = processes.judge(presence.answer(giveUpAt), System.nanoTime());
    return new OverviewSnapshot(
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

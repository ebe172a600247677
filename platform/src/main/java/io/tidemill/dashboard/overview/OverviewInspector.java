package io.tidemill.dashboard.overview;

import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.crawl.FrontierInspector;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.kafka.inspect.GroupInspector;
import io.tidemill.kafka.inspect.GroupInspector.Progress;
import io.tidemill.kafka.inspect.GroupInspector.Subscription;
import io.tidemill.observe.Probe;
import io.tidemill.observe.Reading;
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

/// Probes all servers and stores at once; one that does not answer in time delays no other.
public final class OverviewInspector {
  private static final Duration LIMIT = Duration.ofMillis(1_500);
  private static final Duration ALWAYS = Duration.ZERO;
  private static final int HOSTS = 200;

  /// The parts of the platform that are probed.
  ///
  /// @param kafka null where there is no Kafka
  /// @param queues null where there is no AMQP broker
  /// @param dead the number of dead letters by channel
  /// @param stores figures of each store, by its name
  public record Sources(
      PresenceStore presence,
      JobQueueInspector jobs,
      FrontierInspector frontier,
      ExecutionStore workflows,
      ExecutionStore tasks,
      @Nullable GroupInspector kafka,
      @Nullable QueueMeters queues,
      Callable<Map<String, Long>> dead,
      List<ServerState> servers,
      Map<String, StoreSource> stores) {
    public Sources {
      servers = List.copyOf(servers);
      stores = Map.copyOf(stores);
    }
  }

  /// The figures of a store.
  ///
  /// @param maxAge how long they are cached
  public record StoreSource(Duration maxAge, Callable<Map<String, Long>> figures) {}

  private final InstantSource clock;
  private final LastKnownProcesses processes = new LastKnownProcesses();
  private final List<Probe<?>> all = new ArrayList<>();
  private final Probe<PresenceStore.Snapshot> presence;
  private final Probe<Map<Subscription, Progress>> kafka;
  private final Probe<Map<String, QueueMeters.QueueState>> queues;
  private final Probe<JobQueueInspector.QueueState> jobs;
  private final Probe<FrontierInspector.FrontierState> frontier;
  private final Probe<ExecutionStore.QueueState> workflows;
  private final Probe<ExecutionStore.QueueState> tasks;
  private final Probe<Map<String, Long>> dead;
  private final Map<ServerState, @Nullable Probe<String>> servers = new LinkedHashMap<>();
  private final Map<String, Probe<Map<String, Long>>> stores = new LinkedHashMap<>();

  public OverviewInspector(Sources sources, InstantSource clock) {
    this.clock = clock;
    presence = add(Probe.of(ALWAYS, sources.presence()::snapshot));
    jobs = add(Probe.of(ALWAYS, sources.jobs()::inspect));
    frontier = add(Probe.of(ALWAYS, () -> sources.frontier().inspect(HOSTS)));
    workflows = add(Probe.of(ALWAYS, sources.workflows()::queueState));
    tasks = add(Probe.of(ALWAYS, sources.tasks()::queueState));
    dead = add(Probe.of(Duration.ofSeconds(5), sources.dead()));
    var groups = sources.kafka();
    // The most expensive question: every second sample is enough.
    kafka =
        add(Probe.of(Duration.ofSeconds(3), () -> groups == null ? Map.of() : groups.progress()));
    var depths = sources.queues();
    queues =
        add(new Probe<>(ALWAYS, () -> depths == null ? Reading.of(Map.of()) : depths.queues()));
    for (var server : sources.servers()) {
      var check = server.check();
      servers.put(server, check == null ? null : add(new Probe<>(server.maxAge(), check)));
    }
    for (var name : List.of("index", "analytics")) {
      var store = sources.stores().get(name);
      if (store != null) stores.put(name, add(Probe.of(store.maxAge(), store.figures())));
    }
  }

  private <T> Probe<T> add(Probe<T> probe) {
    all.add(probe);
    return probe;
  }

  /// The consumer groups of the contracts in Kafka.
  public static List<Subscription> subscriptions() {
    return Arrays.stream(ContractChannels.values())
        .filter(contract -> contract.carrier == ContractChannels.Carrier.KAFKA)
        .map(contract -> new Subscription(contract.channel, contract.group()))
        .toList();
  }

  OverviewSnapshot take() throws InterruptedException {
    all.forEach(Probe::ask);
    var deadline = System.nanoTime() + LIMIT.toNanos();
    var states = new ArrayList<ServerState.State>();
    for (var each : servers.entrySet()) {
      var probe = each.getValue();
      states.add(each.getKey().state(probe == null ? null : probe.answer(deadline)));
    }
    var figures = new ArrayList<OverviewSnapshot.Store>();
    for (var each : stores.entrySet()) {
      var found = each.getValue().answer(deadline);
      figures.add(
          new OverviewSnapshot.Store(
              each.getKey(), Objects.requireNonNullElse(found.value(), Map.of())));
    }
    var seen = processes.judge(presence.answer(deadline), System.nanoTime());
    return new OverviewSnapshot(
        clock.millis(),
        seen,
        processes.lastKnown(),
        kafka.answer(deadline),
        queues.answer(deadline),
        jobs.answer(deadline),
        frontier.answer(deadline),
        workflows.answer(deadline),
        tasks.answer(deadline),
        dead.answer(deadline),
        states,
        figures);
  }
}

package io.tidemill.dashboard.overview;

import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.crawl.FrontierInspector;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.kafka.inspect.GroupInspector.Progress;
import io.tidemill.kafka.inspect.GroupInspector.Subscription;
import io.tidemill.observe.Reading;
import io.tidemill.presence.PresenceStore;
import io.tidemill.workflow.ExecutionStore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The readings of all probes.
///
/// @param lastKnown the processes as they were when Redis last answered
/// @param kafka empty where there is no Kafka
/// @param queues by name
record OverviewSnapshot(
    long at,
    Reading<PresenceStore.Snapshot> processes,
    List<PresenceStore.Seen> lastKnown,
    Reading<Map<Subscription, Progress>> kafka,
    Reading<Map<String, QueueMeters.QueueState>> queues,
    Reading<JobQueueInspector.QueueState> jobs,
    Reading<FrontierInspector.FrontierState> frontier,
    Reading<ExecutionStore.QueueState> workflows,
    Reading<ExecutionStore.QueueState> tasks,
    Reading<Map<String, Long>> dead,
    List<ServerState.State> servers,
    List<Store> stores) {

  /// What a store holds.
  record Store(String name, Map<String, Long> figures) {}

  /// The progress of a channel's group in Kafka; null when it is not known.
  @Nullable Progress progress(ContractChannels contract) {
    var all = kafka.value();
    if (all == null) return null;
    return all.get(new Subscription(contract.channel, contract.group()));
  }

  /// The processes of a role.
  List<PresenceStore.Seen> of(String role) {
    return lastKnown.stream().filter(seen -> seen.process().roles().contains(role)).toList();
  }

  List<PresenceStore.Seen> alive() {
    var snapshot = processes.value();
    if (snapshot == null) return List.of();
    return snapshot.processes().stream().filter(seen -> !seen.isGone()).toList();
  }

  /// The sum of a figure over all live processes.
  double figure(String name) {
    return alive().stream()
        .mapToDouble(seen -> seen.process().figures().getOrDefault(name, 0.0))
        .sum();
  }

  @Nullable String serverTrouble(String name) {
    return servers.stream()
        .filter(server -> server.name().equals(name) && server.isDown())
        .map(ServerState.State::detail)
        .findFirst()
        .orElse(null);
  }
}

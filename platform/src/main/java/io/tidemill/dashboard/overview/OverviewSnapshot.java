package io.tidemill.dashboard.overview;

import io.tidemill.amqp.inspect.QueueMeters;
import io.tidemill.crawl.FrontierInspector;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.kafka.inspect.GroupProgress;
import io.tidemill.presence.PresenceStore;
import io.tidemill.workflow.ExecutionStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one look at everything found.
///
/// @param lastKnown the processes as they were when Redis last answered
/// @param kafka empty where there is no Kafka
/// @param queues by name
record OverviewSnapshot(
    long at,
    SourceReading<PresenceStore.Looked> processes,
    List<PresenceStore.Seen> lastKnown,
    SourceReading<Map<GroupProgress.Reading, GroupProgress.Progress>> kafka,
    SourceReading<Map<String, Queue>> queues,
    SourceReading<JobQueueInspector.QueueState> jobs,
    SourceReading<FrontierInspector.FrontierState> frontier,
    SourceReading<ExecutionStore.QueueState> workflows,
    SourceReading<ExecutionStore.QueueState> tasks,
    SourceReading<Map<String, Long>> dead,
    List<ServerState.State> servers,
    List<Store> stores) {

  /// A queue of the AMQP broker.
  ///
  /// @param nonEmptyFor since it was last seen empty; null when it never was, or is
  record Queue(QueueMeters.Depth depth, @Nullable Duration nonEmptyFor) {}

  /// What a store holds.
  record Store(String name, Map<String, Long> figures) {}

  /// How far the readers of a channel in Kafka are; null when nobody knows.
  GroupProgress.@Nullable Progress progress(ContractChannels contract) {
    var all = kafka.value();
    if (all == null) return null;
    return all.get(new GroupProgress.Reading(contract.channel, contract.group()));
  }

  /// The processes of a role.
  List<PresenceStore.Seen> of(String role) {
    return lastKnown.stream().filter(seen -> seen.process().roles().contains(role)).toList();
  }

  List<PresenceStore.Seen> alive() {
    var looked = processes.value();
    if (looked == null) return List.of();
    return looked.processes().stream().filter(seen -> !seen.isGone()).toList();
  }

  /// The sum of a figure over all processes that are there.
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

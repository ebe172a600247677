package io.tidemill.dashboard.overview;

import io.tidemill.broker.amqp.QueueInfo;
import io.tidemill.broker.kafka.GroupProgress;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FrontierView;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.Presence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What one look at everything found.
///
/// @param lastKnown the processes as they were when Redis last answered
/// @param kafka empty where there is no Kafka
/// @param queues by name
record Snapshot(
    long at,
    Found<Presence.Looked> processes,
    List<Presence.Seen> lastKnown,
    Found<Map<GroupProgress.Reading, GroupProgress.Progress>> kafka,
    Found<Map<String, Queue>> queues,
    Found<JobQueue.Look> jobs,
    Found<FrontierView.Look> frontier,
    Found<FlowStore.Look> workflows,
    Found<FlowStore.Look> tasks,
    Found<Map<String, Long>> dead,
    List<Server.State> servers,
    List<Store> stores) {

  /// A queue of the AMQP broker.
  ///
  /// @param nonEmptyFor since it was last seen empty; null when it never was, or is
  record Queue(QueueInfo.Depth depth, @Nullable Duration nonEmptyFor) {}

  /// What a store holds.
  record Store(String name, Map<String, Long> figures) {}

  /// How far the readers of a channel in Kafka are; null when nobody knows.
  GroupProgress.@Nullable Progress progress(Contract contract) {
    var all = kafka.value();
    if (all == null) return null;
    return all.get(new GroupProgress.Reading(contract.channel, contract.group()));
  }

  /// The processes of a role.
  List<Presence.Seen> of(String role) {
    return lastKnown.stream().filter(seen -> seen.process().roles().contains(role)).toList();
  }

  List<Presence.Seen> alive() {
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
        .map(Server.State::detail)
        .findFirst()
        .orElse(null);
  }
}

package io.tidemill.dashboard.overview;

import io.tidemill.presence.PresenceStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of one channel, as far as it is known.
///
/// @param depth messages that wait; null when not known
/// @param running messages in work; null when not known
/// @param consumers known to the server
/// @param oldest arrival of the oldest waiting message, epoch milliseconds
/// @param problem why the server can't be read; null when it can
/// @param readers processes of the reading role, including those that died lately
/// @param slots capacity of the readers; 0 when not known
/// @param busy slots in use
/// @param paused partitions that are paused
/// @param doneRate messages finished per second; null when not known yet
/// @param waits backlog outside of the channel, and known reasons
record ChannelState(
    ContractChannels contract,
    @Nullable Long depth,
    @Nullable Long running,
    int consumers,
    @Nullable Long oldest,
    @Nullable String problem,
    List<PresenceStore.Seen> readers,
    int slots,
    int busy,
    int paused,
    @Nullable Double doneRate,
    List<Wait> waits) {
  ChannelState {
    // The last answer of a silent server is outdated.
    if (problem != null) {
      depth = null;
      oldest = null;
    }
    readers = List.copyOf(readers);
    waits = List.copyOf(waits);
  }

  List<PresenceStore.Seen> alive() {
    return readers.stream().filter(seen -> !seen.isGone()).toList();
  }

  List<PresenceStore.Seen> gone() {
    return readers.stream().filter(PresenceStore.Seen::isGone).toList();
  }

  long waiting() {
    return depth == null ? 0 : depth;
  }

  /// A known part of the backlog, or a reason for it.
  sealed interface Wait {
    /// Pages that crawls have found and not fetched.
    record Pages(long pages, long crawls) implements Wait {}

    /// All hosts with queued pages are paused until then.
    record Hosts(String host, long at, String why, long hosts) implements Wait {}

    /// Retries that are due later.
    record Retries(String what, long count, long at) implements Wait {}

    /// Jobs of a task that no live worker handles.
    record Unable(String task, long count) implements Wait {}

    /// Jobs of a task whose concurrency limit is reached.
    record Limited(String task, long count, int limit, boolean isPerTenant) implements Wait {}

    /// No more jobs are accepted.
    record Full(String why) implements Wait {}

    /// Executions whose message is in the outbox and not published yet.
    record Unpublished(long count) implements Wait {}
  }
}

package io.tidemill.dashboard.overview;

import io.tidemill.observe.Reading;
import io.tidemill.presence.PresenceStore;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The live processes of Redis' last answer. While Redis is away no process can announce itself, so
/// they count as alive, and for a grace period after Redis is back.
final class LastKnownProcesses {
  private List<PresenceStore.Seen> last = List.of();
  private long graceEndsAt;
  private boolean isGrace;

  /// The reading with processes in their grace period counted as alive.
  Reading<PresenceStore.Snapshot> judge(Reading<PresenceStore.Snapshot> found, long nanos) {
    var snapshot = found.value();
    if (snapshot == null) {
      isGrace = true;
      graceEndsAt = nanos + PresenceStore.LASTS.toNanos();
      return found;
    }
    if (isGrace && nanos - graceEndsAt < 0) {
      var before = alive();
      var all = snapshot.processes().stream().map(seen -> revived(seen, before)).toList();
      last = all;
      return Reading.of(new PresenceStore.Snapshot(snapshot.at(), all));
    }
    isGrace = false;
    last = snapshot.processes();
    return found;
  }

  private Set<String> alive() {
    return last.stream()
        .filter(seen -> !seen.isGone())
        .map(seen -> seen.process().id())
        .collect(Collectors.toSet());
  }

  private static PresenceStore.Seen revived(PresenceStore.Seen seen, Set<String> before) {
    return seen.isGone() && before.contains(seen.process().id())
        ? new PresenceStore.Seen(seen.process(), seen.seenAt(), false)
        : seen;
  }

  List<PresenceStore.Seen> lastKnown() {
    return last;
  }
}

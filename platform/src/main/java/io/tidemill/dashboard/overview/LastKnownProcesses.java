package io.tidemill.dashboard.overview;

import io.tidemill.presence.PresenceStore;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Who was there when Redis last answered. While it is silent nobody can speak up: those are not
/// gone, and they get some time to do so when it is back.
final class LastKnownProcesses {
  private List<PresenceStore.Seen> last = List.of();
  private long excusedUntil;
  private boolean isExcused;

  /// What was found, without those that are silent through no fault of their own.
  SourceReading<PresenceStore.Looked> judge(SourceReading<PresenceStore.Looked> found, long nanos) {
    var looked = found.value();
    if (looked == null) {
      isExcused = true;
      excusedUntil = nanos + PresenceStore.LASTS.toNanos();
      return found;
    }
    if (isExcused && nanos - excusedUntil < 0) {
      var before = alive();
      var all = looked.processes().stream().map(seen -> excused(seen, before)).toList();
      last = all;
      return SourceReading.of(new PresenceStore.Looked(looked.at(), all));
    }
    isExcused = false;
    last = looked.processes();
    return found;
  }

  private Set<String> alive() {
    return last.stream()
        .filter(seen -> !seen.isGone())
        .map(seen -> seen.process().id())
        .collect(Collectors.toSet());
  }

  private static PresenceStore.Seen excused(PresenceStore.Seen seen, Set<String> before) {
    return seen.isGone() && before.contains(seen.process().id())
        ? new PresenceStore.Seen(seen.process(), seen.seenAt(), false)
        : seen;
  }

  List<PresenceStore.Seen> lastKnown() {
    return last;
  }
}

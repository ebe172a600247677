package io.tidemill.dashboard.overview;

import io.tidemill.store.redis.Presence;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Who was there when Redis last answered. While it is silent nobody can speak up: those are not
/// gone, and they get some time to do so when it is back.
final class LastKnown {
  private List<Presence.Seen> last = List.of();
  private long excusedUntil;
  private boolean isExcused;

  /// What was found, without those that are silent through no fault of their own.
  Found<Presence.Looked> judge(Found<Presence.Looked> found, long nanos) {
    var looked = found.value();
    if (looked == null) {
      isExcused = true;
      excusedUntil = nanos + Presence.LASTS.toNanos();
      return found;
    }
    if (isExcused && nanos - excusedUntil < 0) {
      var before = alive();
      var all = looked.processes().stream().map(seen -> excused(seen, before)).toList();
      last = all;
      return Found.of(new Presence.Looked(looked.at(), all));
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

  private static Presence.Seen excused(Presence.Seen seen, Set<String> before) {
    return seen.isGone() && before.contains(seen.process().id())
        ? new Presence.Seen(seen.process(), seen.seenAt(), false)
        : seen;
  }

  List<Presence.Seen> lastKnown() {
    return last;
  }
}

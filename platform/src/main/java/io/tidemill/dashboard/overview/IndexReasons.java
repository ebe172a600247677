package io.tidemill.dashboard.overview;

import io.tidemill.dashboard.overview.WaitReason.Level;
import io.tidemill.presence.PresenceStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The processes that do not use the index of pages that the others do, and what they say of it.
final class IndexReasons {
  private static final String CHECK = "index";
  private static final int MOST = 5;

  private IndexReasons() {}

  /// The worst first.
  static List<WaitReason> of(List<PresenceStore.Seen> alive) {
    var reasons = new ArrayList<WaitReason>();
    for (var seen : alive) {
      var process = seen.process();
      var check = process.checks().get(CHECK);
      if (check == null || check.isUp()) continue;
      var text =
          "%s (%s): %s"
              .formatted(process.name(), String.join(", ", process.roles()), check.detail());
      reasons.add(WaitReason.of(WaitReason.Code.INDEX_ELSEWHERE, level(process), text));
    }
    reasons.sort(Comparator.comparing(WaitReason::level).reversed());
    return reasons.subList(0, Math.min(MOST, reasons.size()));
  }

  // A processor reads the index for a few exports and reports only.
  private static Level level(PresenceStore.Member process) {
    return process.roles().equals(List.of("processor")) ? Level.WARN : Level.DOWN;
  }
}

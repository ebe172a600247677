package io.tidemill.dashboard.overview;

import io.tidemill.presence.PresenceStore;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One channel as it stands, as far as that is known.
///
/// @param depth what waits there; null when nobody knows
/// @param running what its readers are at; null when nobody knows
/// @param consumers readers that the server knows of
/// @param oldest when the oldest came that waits, epoch milliseconds
/// @param trouble why the server can't be asked; null when it can
/// @param readers processes of the reading role, those that fell silent lately among them
/// @param slots what its readers may do at once; 0 when that is not known
/// @param busy how many of the slots are in use
/// @param paused partitions that are not read on for now
/// @param doneRate what is finished in a second; null when not known yet
/// @param waits what waits outside of the channel, and what is known of why
record ChannelState(
    ContractChannels contract,
    @Nullable Long depth,
    @Nullable Long running,
    int consumers,
    @Nullable Long oldest,
    @Nullable String trouble,
    List<PresenceStore.Seen> readers,
    int slots,
    int busy,
    int paused,
    @Nullable Double doneRate,
    List<Wait> waits) {
  ChannelState {
    // What a server said before it fell silent is no longer true.
    if (trouble != null) {
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

  /// Something that is known of what waits.
  sealed interface Wait {
    /// Pages that crawls have found and nobody has fetched.
    record Pages(long pages, long crawls) implements Wait {}

    /// No host that pages are wanted from may be asked before.
    record Hosts(String host, long at, String why, long hosts) implements Wait {}

    /// Things that are tried again when their time comes.
    record Retries(String what, long count, long at) implements Wait {}

    /// Jobs of a task that no worker does which is there.
    record Unable(String task, long count) implements Wait {}

    /// Jobs of a task of which as many are under way as may be.
    record Limited(String task, long count, int limit, boolean isPerTenant) implements Wait {}

    /// No more is taken in.
    record Full(String why) implements Wait {}

    /// Things that are written down and whose message the broker does not have yet.
    record Unpublished(long count) implements Wait {}
  }
}

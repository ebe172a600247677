package io.tidemill.kafka.consumer;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// The records and offsets of one partition, from its assignment until it is revoked or lost.
///
/// The plain fields are guarded by the lock of [RecordDispatcher].
final class AssignedPartition {
  final TopicPartition id;
  final FinishedOffsets offsets;
  final Set<HeldRecord> running = new HashSet<>();
  int held;
  long heldBytes;

  /// Whether more of its records may be started.
  boolean open = true;

  /// The last commit that the broker has confirmed.
  OffsetAndMetadata committed = new OffsetAndMetadata(0);

  private final long committedBefore;
  private volatile boolean ours = true;
  volatile long lag;

  private boolean paused;
  private int maxRecords;
  private long maxBytes;
  private @Nullable Set<DeadRecordTail.Origin> deadBefore;

  /// @param committed of an earlier owner; null when there is none
  AssignedPartition(TopicPartition id, @Nullable OffsetAndMetadata committed) {
    this.id = id;
    committedBefore = committed == null ? -1 : committed.offset();
    if (committed == null) {
      offsets = new FinishedOffsets(CommitMetadata.from(-1));
      return;
    }
    this.committed = committed;
    offsets = new FinishedOffsets(CommitMetadata.decode(committed.offset(), committed.metadata()));
  }

  boolean isOurs() {
    return ours;
  }

  void lose() {
    ours = false;
  }

  /// Whether an earlier owner published this dead letter. The first call reads the dead letter
  /// topic.
  synchronized boolean wasDeadBefore(DeadRecordTail.Origin origin, DeadRecordTail tail) {
    if (committedBefore < 0) return false; // rather twice than never
    if (deadBefore == null) deadBefore = tail.read(id, committedBefore);
    return deadBefore.contains(origin);
  }

  /// Sets how much of it may be held from now on.
  ///
  /// @return whether to read on
  boolean limit(int records, long bytes) {
    maxRecords = records;
    maxBytes = bytes;
    paused = paused ? !hasRoom() : held >= maxRecords || heldBytes >= maxBytes;
    return !paused;
  }

  /// Whether it is paused and may be resumed.
  boolean isResumable() {
    return paused && hasRoom();
  }

  // Half of it, so that reading does not stop and resume with every record.
  private boolean hasRoom() {
    return held <= maxRecords / 2 && heldBytes <= maxBytes / 2;
  }

  /// The next commit; empty when the broker has it already.
  Optional<OffsetAndMetadata> pendingCommit() {
    if (offsets.committable() < 0) return Optional.empty();
    var now = new OffsetAndMetadata(offsets.committable(), offsets.progress().text());
    return now.equals(committed) ? Optional.empty() : Optional.of(now);
  }
}

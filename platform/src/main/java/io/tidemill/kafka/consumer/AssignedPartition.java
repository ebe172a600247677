package io.tidemill.kafka.consumer;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// What this process holds of one partition, from when it was given to us until it is taken away.
///
/// The plain fields belong to the lock of [RecordDispatcher].
final class AssignedPartition {
  final TopicPartition id;
  final FinishedOffsets offsets;
  final Set<HeldRecord> running = new HashSet<>();
  int held;
  long heldBytes;

  /// Whether more of it may be started.
  boolean open = true;

  /// The offset and the text that the broker is known to have.
  OffsetAndMetadata committed = new OffsetAndMetadata(0);

  private volatile boolean ours = true;
  volatile long lag;

  private boolean paused;
  private int most;
  private long mostBytes;

  /// @param committed what the broker has; null = nothing
  AssignedPartition(TopicPartition id, @Nullable OffsetAndMetadata committed) {
    this.id = id;
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

  /// How much of it may be held from now on.
  ///
  /// @return whether to read on
  boolean limit(int records, long bytes) {
    most = records;
    mostBytes = bytes;
    paused = paused ? !hasRoom() : held >= most || heldBytes >= mostBytes;
    return !paused;
  }

  /// Whether it waits to be read on, and may be.
  boolean hasRoomAgain() {
    return paused && hasRoom();
  }

  // Half of it, so that reading does not stop and go with every record.
  private boolean hasRoom() {
    return held <= most / 2 && heldBytes <= mostBytes / 2;
  }

  /// What to commit, when it is more than the broker has.
  Optional<OffsetAndMetadata> due() {
    if (offsets.committable() < 0) return Optional.empty();
    var now = new OffsetAndMetadata(offsets.committable(), offsets.progress().text());
    return now.equals(committed) ? Optional.empty() : Optional.of(now);
  }
}

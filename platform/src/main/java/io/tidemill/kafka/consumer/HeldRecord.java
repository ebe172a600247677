package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One record that was read and is not finished.
final class HeldRecord {
  // A rough estimate of what a record costs in memory beside its own bytes.
  private static final long OVERHEAD = 200L;

  final AssignedPartition partition;
  final KafkaRecord record;
  final int priority;
  final long bytes;

  /// Records with equal order keys are handled one after the other.
  final Object orderKey;

  // Guarded by the lock of RecordDispatcher.
  /// The next record of the same key.
  @Nullable HeldRecord next;

  /// Its place among all records that became ready.
  long readyNumber;

  @Nullable Thread runner;

  // Confined to the thread that runs the record.
  int attempts;
  int failedPublishes;
  @Nullable Throwable failure;
  @Nullable DeadReason dead;

  /// Why a record is dead.
  record DeadReason(String text, @Nullable Throwable cause) {}

  HeldRecord(AssignedPartition partition, KafkaRecord record, int priority) {
    this.partition = partition;
    this.record = record;
    this.priority = priority;
    bytes = OVERHEAD + size(record.key()) + size(record.value());
    orderKey = record.key() == null ? this : new Key(partition, record.key());
  }

  private static int size(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static final class Key {
    private final AssignedPartition partition;
    private final byte[] key;
    private final int hash;

    Key(AssignedPartition partition, byte[] key) {
      this.partition = partition;
      this.key = key;
      hash = 31 * System.identityHashCode(partition) + Arrays.hashCode(key);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that
          && partition == that.partition
          && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }
}

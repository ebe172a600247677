package io.tidemill.kafka.consumer;

import io.tidemill.kafka.KafkaRecord;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One record that was read and is not finished; its books belong to the lock of
/// [RecordDispatcher].
final class HeldRecord {
  // What a record costs in memory beside its own bytes, roughly.
  private static final long OVERHEAD = 200L;

  final AssignedPartition partition;
  final KafkaRecord record;
  final int priority;
  final long bytes;
  final Object lane;

  /// The next record of the same key.
  @Nullable HeldRecord next;

  /// When it became ready, counted in records.
  long turn;

  @Nullable Thread runner;

  // These belong to whoever runs it.
  int attempts;
  int burials;
  @Nullable Throwable failure;
  @Nullable Burial burial;

  /// Why a record is dead.
  record Burial(String reason, @Nullable Throwable cause) {}

  HeldRecord(AssignedPartition partition, KafkaRecord record, int priority) {
    this.partition = partition;
    this.record = record;
    this.priority = priority;
    bytes = OVERHEAD + size(record.key()) + size(record.value());
    // Without a key there is no order to keep: a lane of its own.
    lane = record.key() == null ? this : new Key(partition, record.key());
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

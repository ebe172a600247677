package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Reads the timestamps of the first records that a group has not committed.
///
/// Used by one thread.
final class FirstUncommitted implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMillis(600);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int BYTES = 64 * 1024;

  private final LazyClient<KafkaConsumer<byte[], byte[]>> consumer;

  /// @param answer how long the broker may take to answer
  FirstUncommitted(KafkaConfig config, Duration answer) {
    var settings =
        Map.<String, Object>of(
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            16,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            BYTES,
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            5);
    consumer =
        new LazyClient<>(
            () -> KafkaClients.consumer(config, answer, settings), KafkaConsumer::close);
  }

  /// The earliest timestamp of the records at these offsets, epoch milliseconds; null when there is
  /// none, or it is not known in time.
  @Nullable Long timestamp(Map<TopicPartition, Long> offsets) {
    if (offsets.isEmpty()) return null;
    try {
      return read(offsets);
    } catch (org.apache.kafka.common.KafkaException unread) {
      return null;
    }
  }

  private @Nullable Long read(Map<TopicPartition, Long> offsets) {
    var reading = consumer.get();
    var left = new HashSet<>(offsets.keySet());
    Long oldest = null;
    try {
      reading.assign(offsets.keySet());
      offsets.forEach(reading::seek);
      var giveUpAt = System.nanoTime() + LIMIT.toNanos();
      while (!left.isEmpty() && System.nanoTime() - giveUpAt < 0) {
        for (var record : reading.poll(POLL)) {
          var id = new TopicPartition(record.topic(), record.partition());
          if (!left.remove(id)) continue;
          reading.pause(List.of(id));
          oldest = oldest == null ? record.timestamp() : Math.min(oldest, record.timestamp());
        }
      }
      return oldest;
    } finally {
      reading.unsubscribe();
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}

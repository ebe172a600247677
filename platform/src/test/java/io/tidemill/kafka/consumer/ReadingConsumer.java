package io.tidemill.kafka.consumer;

import static org.awaitility.Awaitility.await;

import io.tidemill.config.Renaming;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/// Looks at topics and groups with Kafka's own consumer.
public final class ReadingConsumer {
  private ReadingConsumer() {}

  static KafkaConsumer<byte[], byte[]> consumer(KafkaConfig config, String group) {
    return new KafkaConsumer<>(
        Map.of(
            "bootstrap.servers",
            config.bootstrap(),
            "group.id",
            group,
            "enable.auto.commit",
            false,
            "auto.offset.reset",
            "earliest"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private static List<TopicPartition> partitions(
      KafkaConsumer<byte[], byte[]> consumer, String topic) {
    // The consumer makes its topics when it starts.
    await().until(() -> consumer.partitionsFor(topic), infos -> !infos.isEmpty());
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  /// Reads a topic from its beginning until there are so many.
  public static List<KafkaRecord> read(
      KafkaConfig config, String topic, int count, Duration atMost) {
    var found = new ArrayList<KafkaRecord>();
    var deadline = System.nanoTime() + atMost.toNanos();
    try (var consumer = consumer(config, "reading")) {
      var partitions = partitions(consumer, topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (found.size() < count && System.nanoTime() < deadline) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(wire -> found.add(KafkaRecord.of(wire, Renaming.none())));
      }
    }
    if (found.size() < count) throw new AssertionError(topic + " has " + found.size());
    return found;
  }

  /// The sum of what a group has committed; -1 = nothing at all.
  static long committed(KafkaConfig config, String group, String topic) {
    try (var consumer = consumer(config, group)) {
      var committed = consumer.committed(java.util.Set.copyOf(partitions(consumer, topic)));
      var known =
          committed.values().stream()
              .filter(java.util.Objects::nonNull)
              .collect(Collectors.toList());
      return known.isEmpty() ? -1 : known.stream().mapToLong(offset -> offset.offset()).sum();
    }
  }

  /// What lies in a topic and is not committed.
  public static long lag(KafkaConfig config, String group, String topic) {
    try (var consumer = consumer(config, group)) {
      var ends = consumer.endOffsets(partitions(consumer, topic));
      var end = ends.values().stream().mapToLong(offset -> offset).sum();
      return end - Math.max(0, committed(config, group, topic));
    }
  }
}

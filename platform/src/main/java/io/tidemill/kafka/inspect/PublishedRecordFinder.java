package io.tidemill.kafka.inspect;

import io.tidemill.config.Renaming;
import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/// Finds out whether a record with some key was published since some offset.
///
/// A publisher that stores the end offsets of a topic before it publishes can check after a crash
/// whether its record is there, and so publish it exactly once (F04).
public final class PublishedRecordFinder implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration QUESTION = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(200);

  private final Renaming topics;
  private final ClusterQueries queries;
  private final LazyClient<KafkaConsumer<byte[], byte[]>> consumer;

  public PublishedRecordFinder(KafkaConfig config) {
    topics = config.topicNames();
    var timeout = Map.<String, Object>of(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    queries =
        new ClusterQueries(config, QUESTION, () -> KafkaClients.admin(config, QUESTION, timeout));
    var settings =
        Map.<String, Object>of(
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            // A request that still waits at the end of one search would delay the next.
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            5);
    consumer =
        new LazyClient<>(
            () -> KafkaClients.consumer(config, QUESTION, settings), KafkaConsumer::close);
  }

  /// The end offset of every partition.
  public Map<Integer, Long> endOffsets(String topic) {
    var ends = new HashMap<Integer, Long>();
    ends(topic).forEach((id, offset) -> ends.put(id.partition(), offset));
    return ends;
  }

  private Map<TopicPartition, Long> ends(String topic) {
    try {
      var ids = ClusterQueries.partitions(queries.topics(List.of(topic)));
      if (ids.isEmpty()) throw unknownEnd(topic, new UnknownTopicOrPartitionException(topic));
      // The end of the log, not of what is committed: an open transaction of another producer may
      // lie before our record, and the search has to wait for its end.
      var ends = new HashMap<TopicPartition, Long>();
      queries
          .offsets(ids, OffsetSpec.latest())
          .forEach((id, offset) -> ends.put(queries.onServer(id), offset));
      return ends;
    } catch (KafkaException failed) {
      throw unknownEnd(topic, failed);
    }
  }

  private static KafkaException unknownEnd(String topic, Exception cause) {
    return new KafkaException("the end of topic " + topic + " is not known", cause);
  }

  /// Whether a committed record with this key exists from these offsets on; throws when the search
  /// takes more than half a minute.
  ///
  /// @param fromOffsets by partition; others are searched from their beginning
  public boolean contains(String topic, byte[] key, Map<Integer, Long> fromOffsets) {
    var ends = ends(topic);
    ends.entrySet().removeIf(end -> from(end.getKey(), fromOffsets) >= end.getValue());
    return !ends.isEmpty() && search(key, fromOffsets, ends);
  }

  private static long from(TopicPartition id, Map<Integer, Long> fromOffsets) {
    return fromOffsets.getOrDefault(id.partition(), 0L);
  }

  private synchronized boolean search(
      byte[] key, Map<Integer, Long> fromOffsets, Map<TopicPartition, Long> ends) {
    var reading = consumer.get();
    var deadline = System.nanoTime() + LIMIT.toNanos();
    try {
      reading.assign(ends.keySet());
      ends.keySet().forEach(id -> reading.seek(id, from(id, fromOffsets)));
      while (ends.entrySet().stream().anyMatch(e -> reading.position(e.getKey()) < e.getValue())) {
        for (var record : reading.poll(POLL)) {
          if (Arrays.equals(record.key(), key)) return true;
        }
        if (System.nanoTime() - deadline > 0) throw new TimeoutException("it took too long");
      }
      return false;
    } catch (org.apache.kafka.common.KafkaException | TimeoutException failed) {
      throw new KafkaException("topic can't be searched: " + failed.getMessage(), failed);
    } finally {
      reading.unsubscribe();
    }
  }

  /// The committed records with such a key from an offset of a partition on; throws when no record
  /// arrives for half a minute.
  ///
  /// @param notBefore earlier records are skipped
  public List<KafkaRecord> since(
      String topic,
      int partition,
      long offset,
      Instant notBefore,
      Predicate<byte @Nullable []> key) {
    var id = new TopicPartition(topics.name(topic), partition);
    var end = ends(topic).getOrDefault(id, 0L);
    return offset >= end ? List.of() : collect(id, offset, notBefore, end, key);
  }

  private synchronized List<KafkaRecord> collect(
      TopicPartition id,
      long offset,
      Instant notBefore,
      long end,
      Predicate<byte @Nullable []> key) {
    var reading = consumer.get();
    var deadline = System.nanoTime() + LIMIT.toNanos();
    var found = new ArrayList<KafkaRecord>();
    try {
      reading.assign(List.of(id));
      reading.seek(id, Math.max(offset, first(reading, id, notBefore, end)));
      while (reading.position(id) < end) {
        var records = reading.poll(POLL);
        for (var record : records) {
          if (key.test(record.key())) found.add(KafkaRecord.of(record, topics));
        }
        if (!records.isEmpty()) deadline = System.nanoTime() + LIMIT.toNanos();
        if (System.nanoTime() - deadline > 0) throw new TimeoutException("it took too long");
      }
      return found;
    } catch (org.apache.kafka.common.KafkaException | TimeoutException failed) {
      throw new KafkaException("topic can't be searched: " + failed.getMessage(), failed);
    } finally {
      reading.unsubscribe();
    }
  }

  private static long first(
      KafkaConsumer<byte[], byte[]> reading, TopicPartition id, Instant notBefore, long end) {
    var found = reading.offsetsForTimes(Map.of(id, notBefore.toEpochMilli())).get(id);
    return found == null ? end : found.offset();
  }

  @Override
  public synchronized void close() {
    consumer.close();
    queries.close();
  }
}

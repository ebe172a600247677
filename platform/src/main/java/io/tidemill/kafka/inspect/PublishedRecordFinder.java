package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.PollLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/// Looks back into a topic: was a record with this key written since?
///
/// Who notes the end of a topic before it publishes can find out after a crash whether its record
/// is there, and so publish it exactly once (F04).
public final class PublishedRecordFinder implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration QUESTION = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConfig config;
  private final Admin admin;
  private @Nullable Consumer<byte[], byte[]> consumer;

  public PublishedRecordFinder(KafkaConfig config) {
    this.config = config;
    admin =
        KafkaClients.admin(
            config, QUESTION, Map.of(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000));
  }

  /// The next offset of every partition, as it is now.
  public Map<Integer, Long> endOffsets(String topic) {
    var ends = new HashMap<Integer, Long>();
    ends(topic).forEach((id, offset) -> ends.put(id.partition(), offset));
    return ends;
  }

  private Map<TopicPartition, Long> ends(String topic) {
    try {
      var there =
          admin
              .describeTopics(List.of(topic))
              .allTopicNames()
              .get(QUESTION.toSeconds(), TimeUnit.SECONDS)
              .values();
      var wanted =
          there.stream()
              .flatMap(found -> found.partitions().stream())
              .map(found -> new TopicPartition(topic, found.partition()))
              .collect(Collectors.toMap(id -> id, _ -> OffsetSpec.latest()));
      // The end of everything, not only of what is committed: somebody's open transaction may lie
      // before our record, and then the search waits for its end instead of overlooking ours.
      return admin
          .listOffsets(wanted)
          .all()
          .get(QUESTION.toSeconds(), TimeUnit.SECONDS)
          .entrySet()
          .stream()
          .collect(Collectors.toMap(Map.Entry::getKey, found -> found.getValue().offset()));
    } catch (ExecutionException | TimeoutException failed) {
      throw new KafkaException("the end of topic " + topic + " is not known", failed);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KafkaException("the end of topic " + topic + " is not known", stopped);
    }
  }

  /// Whether a committed record with this key lies at or behind these offsets; throws when that
  /// can't be found out within half a minute.
  ///
  /// @param fromOffsets by partition; one that is not named is searched from its beginning
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
    var reading = consumer();
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

  /// The committed records with such a key at or behind an offset of one partition; throws when
  /// nothing comes for half a minute.
  ///
  /// @param notBefore records of an earlier time need not be looked at
  public List<KafkaRecord> since(
      String topic,
      int partition,
      long offset,
      Instant notBefore,
      Predicate<byte @Nullable []> key) {
    var id = new TopicPartition(topic, partition);
    var end = ends(topic).getOrDefault(id, 0L);
    return offset >= end ? List.of() : collect(id, offset, notBefore, end, key);
  }

  private synchronized List<KafkaRecord> collect(
      TopicPartition id,
      long offset,
      Instant notBefore,
      long end,
      Predicate<byte @Nullable []> key) {
    var reading = consumer();
    var deadline = System.nanoTime() + LIMIT.toNanos();
    var found = new ArrayList<KafkaRecord>();
    try {
      reading.assign(List.of(id));
      reading.seek(id, Math.max(offset, first(reading, id, notBefore, end)));
      while (reading.position(id) < end) {
        var records = reading.poll(POLL);
        for (var record : records) {
          if (key.test(record.key())) found.add(PollLoop.record(record));
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
      Consumer<byte[], byte[]> reading, TopicPartition id, Instant notBefore, long end) {
    var found = reading.offsetsForTimes(Map.of(id, notBefore.toEpochMilli())).get(id);
    return found == null ? end : found.offset();
  }

  private Consumer<byte[], byte[]> consumer() {
    var open = consumer;
    if (open == null) {
      open =
          KafkaClients.consumer(
              config,
              QUESTION,
              Map.of(
                  ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                  "read_committed",
                  // A request that still waits at the end of one search would hold up the next.
                  ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                  5));
      consumer = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    if (consumer != null) consumer.close();
    admin.close(Duration.ofSeconds(1));
  }
}

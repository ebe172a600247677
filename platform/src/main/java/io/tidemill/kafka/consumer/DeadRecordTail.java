package io.tidemill.kafka.consumer;

import io.tidemill.config.Renaming;
import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds the dead letters that an earlier owner of a partition published and crashed before it
/// committed their originals.
///
/// Reads the dead letter topic backwards, and stops at the first dead letter of the partition that
/// the commit covers: all others before it are covered, too. Bounded in records and in time; beyond
/// the bounds a record may get a second dead letter. Old dead letters do not count: an operator may
/// have set the group back to read their originals again.
final class DeadRecordTail {
  private static final Logger log = LoggerFactory.getLogger(DeadRecordTail.class);
  private static final int MAX_RECORDS = 10_000;
  private static final int CHUNK = 500;
  private static final Duration RECENT = Duration.ofMinutes(15);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(100);

  /// Identifies a dead letter by its original.
  ///
  /// @param timestamp tells originals apart whose topic was created anew
  /// @param reason other groups that read the topic have reasons of their own
  record Origin(long offset, long timestamp, String reason) {}

  private final KafkaConfig config;
  private final InstantSource clock;

  DeadRecordTail(KafkaConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
  }

  /// @param committed the first offset that may have an uncommitted dead letter
  /// @throws KafkaException when the broker does not answer
  Set<Origin> read(TopicPartition partition, long committed) {
    try (var consumer = KafkaClients.consumer(config, LIMIT, consumerSettings())) {
      var oldest = clock.instant().minus(RECENT);
      var search = new Search(consumer, config.topicNames(), partition, committed, oldest);
      var topic = DeadRecordPublisher.topic(partition.topic());
      for (var info : consumer.partitionsFor(topic)) {
        search.readBackwards(new TopicPartition(topic, info.partition()));
      }
      return search.found;
    } catch (org.apache.kafka.common.KafkaException failed) {
      if (failed instanceof InterruptException) Thread.currentThread().interrupt();
      throw new KafkaException("the dead letters of " + partition + " can't be read", failed);
    }
  }

  private static Map<String, Object> consumerSettings() {
    return Map.of(
        ConsumerConfig.MAX_POLL_RECORDS_CONFIG, CHUNK, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
  }

  private static final class Search {
    private final Consumer<byte[], byte[]> consumer;
    private final Renaming topics;
    private final TopicPartition origin;
    private final long committed;
    private final Set<Origin> found = new HashSet<>();
    private final long oldest;
    private final long deadline = System.nanoTime() + LIMIT.toNanos();

    Search(
        Consumer<byte[], byte[]> consumer,
        Renaming topics,
        TopicPartition origin,
        long committed,
        Instant oldest) {
      this.consumer = consumer;
      this.topics = topics;
      this.origin = origin;
      this.committed = committed;
      this.oldest = oldest.toEpochMilli();
    }

    void readBackwards(TopicPartition id) {
      consumer.assign(List.of(id));
      var first = consumer.beginningOffsets(List.of(id)).getOrDefault(id, 0L);
      var last = consumer.endOffsets(List.of(id)).getOrDefault(id, 0L);
      var bound = Math.max(first, last - MAX_RECORDS);
      for (long end = last; end > bound; end -= CHUNK) {
        if (meetsCommitted(id, Math.max(bound, end - CHUNK), end)) return;
        if (isLate()) {
          log.warn("the dead letters of {} are read back to {} of {} only", origin, end, last);
          return;
        }
      }
    }

    private boolean meetsCommitted(TopicPartition id, long begin, long end) {
      var meets = false;
      consumer.seek(id, begin);
      while (consumer.position(id) < end && !isLate()) {
        for (var record : consumer.poll(POLL)) {
          if (record.offset() < end) meets |= isCommitted(KafkaRecord.of(record, topics));
        }
      }
      return meets;
    }

    private boolean isCommitted(KafkaRecord letter) {
      var dead = DeadRecord.of(origin.topic(), letter);
      var originAt = dead.originAt();
      if (dead.originPartition() != origin.partition() || originAt == null) return false;
      if (dead.originOffset() < committed || letter.timestamp() < oldest) return true;
      found.add(new Origin(dead.originOffset(), originAt.toEpochMilli(), dead.reason()));
      return false;
    }

    private boolean isLate() {
      return System.nanoTime() - deadline > 0;
    }
  }
}

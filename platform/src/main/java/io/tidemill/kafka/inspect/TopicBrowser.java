package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.PollLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/// Looks into topics, in no group and without committing anything: one at a time, and each bounded
/// in time.
///
/// Every method throws [KafkaException] when the broker does not answer in time.
final class TopicBrowser implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  /// What a partition has.
  ///
  /// @param begin the first offset that is kept
  /// @param end the offset that the next record gets
  record Range(long begin, long end) {
    long size() {
      return Math.max(0, end - begin);
    }

    boolean contains(long offset) {
      return offset >= begin && offset < end;
    }

    Range until(@Nullable Long before) {
      return before == null || before >= end ? this : new Range(begin, Math.max(begin, before));
    }
  }

  private final KafkaConfig config;
  private final Duration limit;
  private final int fetchBytes;
  // Kafka's consumer is for one thread at a time.
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;

  /// @param fetchBytes so much is fetched at a time
  TopicBrowser(KafkaConfig config, Duration limit, int fetchBytes) {
    this.config = config;
    this.limit = limit;
    this.fetchBytes = fetchBytes;
  }

  <T> T look(String topic, Function<Browse, T> question) {
    return look(topic, limit, question);
  }

  <T> T look(String topic, Duration limit, Function<Browse, T> question) {
    var deadline = System.nanoTime() + limit.toNanos();
    try {
      if (!lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) throw late(topic);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KafkaException("topic " + topic + ": interrupted", stopped);
    }
    try {
      return question.apply(new Browse(consumer(), topic, limit, deadline));
    } catch (org.apache.kafka.common.KafkaException failed) {
      if (failed instanceof InterruptException) Thread.currentThread().interrupt();
      throw new KafkaException("topic " + topic + ": " + failed.getMessage(), failed);
    } finally {
      if (consumer != null) consumer.unsubscribe();
      lock.unlock();
    }
  }

  private static KafkaException late(String topic) {
    var why = new TimeoutException("it took too long");
    return new KafkaException("topic " + topic + ": " + why.getMessage(), why);
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    var open = consumer;
    if (open == null) {
      open =
          KafkaClients.consumer(
              config,
              limit,
              Map.of(
                  ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                  fetchBytes,
                  ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                  fetchBytes,
                  // A fetch at the end that was begun ahead must not hold up the next question.
                  ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                  20,
                  ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                  100));
      consumer = open;
    }
    return open;
  }

  /// One look into one topic.
  record Browse(
      KafkaConsumer<byte[], byte[]> consumer, String topic, Duration limit, long deadline) {
    /// What each partition has, by number; nothing when there is no such topic.
    Map<Integer, Range> ranges() {
      var ids =
          consumer.partitionsFor(topic, limit).stream().map(info -> id(info.partition())).toList();
      consumer.assign(ids); // Kafka's client warns of offsets that nobody asked it to follow
      var begins = consumer.beginningOffsets(ids, limit);
      var ends = consumer.endOffsets(ids, limit);
      var ranges = new TreeMap<Integer, Range>();
      for (var id : ids) {
        var begin = begins.getOrDefault(id, 0L);
        ranges.put(id.partition(), new Range(begin, ends.getOrDefault(id, begin)));
      }
      return ranges;
    }

    private TopicPartition id(int partition) {
      return new TopicPartition(topic, partition);
    }

    /// Hands over the records of a range in their order.
    ///
    /// @param reader whether it wants more of them
    void read(int partition, Range range, Predicate<KafkaRecord> reader) {
      var id = id(partition);
      consumer.assign(List.of(id));
      consumer.seek(id, range.begin());
      while (consumer.position(id) < range.end()) {
        for (var record : consumer.poll(POLL)) {
          if (!range.contains(record.offset())) continue;
          if (!reader.test(PollLoop.record(record))) return;
        }
        if (System.nanoTime() - deadline > 0) throw late(topic);
      }
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (consumer != null) consumer.close();
      consumer = null;
    } finally {
      lock.unlock();
    }
  }
}

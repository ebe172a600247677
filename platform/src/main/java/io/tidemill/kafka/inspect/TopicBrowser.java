package io.tidemill.kafka.inspect;

import io.tidemill.config.Renaming;
import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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

/// Reads topics without a consumer group, one at a time, each within a time limit.
///
/// Every method throws [KafkaException] when the broker does not answer in time.
final class TopicBrowser implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  /// The offsets of a partition.
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

  private final Renaming topics;
  private final Duration limit;
  // Kafka's consumer is for one thread at a time.
  private final ReentrantLock lock = new ReentrantLock();
  private final LazyClient<KafkaConsumer<byte[], byte[]>> consumer;

  /// @param fetchBytes fetched at a time
  TopicBrowser(KafkaConfig config, Duration limit, int fetchBytes) {
    topics = config.topicNames();
    this.limit = limit;
    var settings =
        Map.<String, Object>of(
            ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
            fetchBytes,
            ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
            fetchBytes,
            // A prefetch at the end of a topic must not delay the next question.
            ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
            20,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            100);
    consumer =
        new LazyClient<>(
            () -> KafkaClients.consumer(config, limit, settings), KafkaConsumer::close);
  }

  <T> T browse(String topic, Function<Browse, T> question) {
    return browse(topic, limit, question);
  }

  <T> T browse(String topic, Duration limit, Function<Browse, T> question) {
    var deadline = System.nanoTime() + limit.toNanos();
    try {
      if (!lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) throw late(topic);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KafkaException("topic " + topic + ": interrupted", stopped);
    }
    KafkaConsumer<byte[], byte[]> open = null;
    try {
      open = consumer.get();
      return question.apply(new Browse(open, topics, topics.name(topic), limit, deadline));
    } catch (org.apache.kafka.common.KafkaException failed) {
      if (failed instanceof InterruptException) Thread.currentThread().interrupt();
      throw new KafkaException("topic " + topic + ": " + failed.getMessage(), failed);
    } finally {
      if (open != null) open.unsubscribe();
      lock.unlock();
    }
  }

  private static KafkaException late(String topic) {
    var why = new TimeoutException("it took too long");
    return new KafkaException("topic " + topic + ": " + why.getMessage(), why);
  }

  /// One browse of one topic.
  ///
  /// @param topic as the broker calls it
  record Browse(
      KafkaConsumer<byte[], byte[]> consumer,
      Renaming topics,
      String topic,
      Duration limit,
      long deadline) {
    /// The offsets of each partition; none when there is no such topic.
    Map<Integer, Range> ranges() {
      var ids =
          consumer.partitionsFor(topic, limit).stream().map(info -> id(info.partition())).toList();
      consumer.assign(ids); // else the client warns about offsets of unassigned partitions
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

    /// Passes the records of a range to the reader, in their order.
    ///
    /// @param reader returns whether it wants more
    void read(int partition, Range range, Predicate<KafkaRecord> reader) {
      var id = id(partition);
      consumer.assign(List.of(id));
      consumer.seek(id, range.begin());
      while (consumer.position(id) < range.end()) {
        for (var record : consumer.poll(POLL)) {
          if (!range.contains(record.offset())) continue;
          if (!reader.test(KafkaRecord.of(record, topics))) return;
        }
        if (System.nanoTime() - deadline > 0) throw late(topic);
      }
    }

    /// The last records of a range, in no order. Offsets may have gaps, so several reads may be
    /// necessary.
    ///
    /// @param mostBytes of all records; the oldest beyond it are left out
    <T> List<T> last(
        int partition, Range range, int limit, long mostBytes, Function<KafkaRecord, T> convert) {
      var found = new ArrayList<T>();
      for (var end = range.end(); end > range.begin() && found.size() < limit; ) {
        var begin = Math.max(range.begin(), end - (limit - found.size()));
        var part = new ArrayDeque<Sized<T>>();
        var bytes = new long[1];
        read(
            partition,
            new Range(begin, end),
            record -> {
              part.addLast(new Sized<>(convert.apply(record), size(record)));
              bytes[0] += part.getLast().bytes();
              while (bytes[0] > mostBytes && part.size() > 1)
                bytes[0] -= part.removeFirst().bytes();
              return true;
            });
        part.forEach(each -> found.add(each.value()));
        if (bytes[0] > mostBytes / 2) break;
        end = begin;
      }
      return found;
    }
  }

  private record Sized<T>(T value, long bytes) {}

  static long size(KafkaRecord record) {
    var size = 0L;
    if (record.value() != null) size += record.value().length;
    if (record.key() != null) size += record.key().length;
    for (var header : record.headers()) {
      if (header.value() != null) size += header.value().length;
    }
    return size;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      consumer.close();
    } finally {
      lock.unlock();
    }
  }
}

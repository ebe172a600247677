package io.tidemill.broker.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/// Looks into topics, in no group and without committing anything: bounded in time, and in memory
/// whatever lies there.
///
/// Every method throws [KafkaException] when the broker does not answer in time.
public final class TopicReader implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int FETCH_BYTES = 1024 * 1024;
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final Comparator<KafkaRecord> NEWEST =
      Comparator.comparingLong(KafkaRecord::timestamp)
          .thenComparingLong(KafkaRecord::offset)
          .reversed();

  private record Range(long begin, long end) {}

  private final KafkaConfig config;
  // Kafka's consumer is for one thread at a time.
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;

  public TopicReader(KafkaConfig config) {
    this.config = config;
  }

  /// The newest records of a topic, or of one of its partitions, the newest first; fewer when those
  /// are very large.
  ///
  /// @param partition null for all of them
  public List<KafkaRecord> newest(String topic, @Nullable Integer partition, int limit) {
    return reading(
        topic,
        (reading, deadline) -> {
          var found = new ArrayList<KafkaRecord>();
          for (var id : ids(reading, topic, partition)) {
            found.addAll(last(reading, id, limit, deadline));
          }
          return found.stream().sorted(NEWEST).limit(limit).toList();
        });
  }

  // Offsets may have gaps, so it may take more than one look.
  private static List<KafkaRecord> last(
      KafkaConsumer<byte[], byte[]> reading, TopicPartition id, int limit, long deadline) {
    var range = range(reading, id);
    var found = new ArrayDeque<KafkaRecord>();
    for (var end = range.end(); end > range.begin() && found.size() < limit; ) {
      var begin = Math.max(range.begin(), end - (limit - found.size()));
      var part = new ArrayDeque<KafkaRecord>();
      var bytes = new long[1];
      read(
          reading,
          id,
          new Range(begin, end),
          deadline,
          record -> {
            part.addLast(record);
            bytes[0] += size(record);
            // The newest are wanted: what came before them goes first.
            while (bytes[0] > MOST_BYTES && part.size() > 1) bytes[0] -= size(part.removeFirst());
          });
      part.descendingIterator().forEachRemaining(found::addLast);
      if (bytes[0] > MOST_BYTES / 2) break;
      end = begin;
    }
    return List.copyOf(found);
  }

  private static long size(KafkaRecord record) {
    var size = 0L;
    if (record.value() != null) size += record.value().length;
    if (record.key() != null) size += record.key().length;
    for (var header : record.headers()) {
      if (header.value() != null) size += header.value().length;
    }
    return size;
  }

  /// Some records of a partition in their order.
  ///
  /// @param next where to go on; null at the partition's end
  public record Page(List<KafkaRecord> records, @Nullable Long next) {
    public Page {
      records = List.copyOf(records);
    }
  }

  /// Records at or behind an offset, the oldest first; empty when there is no such partition.
  public Optional<Page> from(String topic, int partition, long offset, int limit) {
    return reading(
        topic,
        (reading, deadline) -> {
          var ids = ids(reading, topic, partition);
          if (ids.isEmpty()) return Optional.empty();
          var id = ids.getFirst();
          var whole = range(reading, id);
          var found = new ArrayList<KafkaRecord>();
          var bytes = 0L;
          reading.assign(List.of(id));
          reading.seek(id, Math.clamp(offset, whole.begin(), whole.end()));
          while (reading.position(id) < whole.end() && found.size() < limit && bytes < MOST_BYTES) {
            for (var wire : reading.poll(POLL)) {
              if (found.size() == limit || bytes >= MOST_BYTES) break;
              if (wire.offset() >= whole.end()) break;
              var record = PollLoop.record(wire);
              found.add(record);
              bytes += size(record);
            }
            if (System.nanoTime() - deadline > 0) throw late(topic);
          }
          var next = found.isEmpty() ? whole.end() : found.getLast().offset() + 1;
          return Optional.of(new Page(found, next < whole.end() ? next : null));
        });
  }

  /// Hands over the newest records of each partition, the oldest of them first, as far as there is
  /// time; what was handed over before counts.
  public void scan(String topic, int perPartition, Consumer<KafkaRecord> reader) {
    reading(
        topic,
        (reading, deadline) -> {
          for (var id : ids(reading, topic, null)) {
            var range = range(reading, id);
            var begin = Math.max(range.begin(), range.end() - perPartition);
            read(reading, id, new Range(begin, range.end()), deadline, reader);
          }
          return true;
        });
  }

  private static void read(
      KafkaConsumer<byte[], byte[]> reading,
      TopicPartition id,
      Range range,
      long deadline,
      Consumer<KafkaRecord> reader) {
    reading.assign(List.of(id));
    reading.seek(id, range.begin());
    while (reading.position(id) < range.end()) {
      for (var record : reading.poll(POLL)) {
        if (record.offset() >= range.begin() && record.offset() < range.end()) {
          reader.accept(PollLoop.record(record));
        }
      }
      if (System.nanoTime() - deadline > 0) throw late(id.topic());
    }
  }

  private static List<TopicPartition> ids(
      KafkaConsumer<byte[], byte[]> reading, String topic, @Nullable Integer only) {
    return reading.partitionsFor(topic, LIMIT).stream()
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .filter(id -> only == null || id.partition() == only)
        .sorted(Comparator.comparingInt(TopicPartition::partition))
        .toList();
  }

  private static Range range(KafkaConsumer<byte[], byte[]> reading, TopicPartition id) {
    var one = List.of(id);
    reading.assign(one); // Kafka's client warns of offsets that nobody asked it to follow
    return new Range(
        reading.beginningOffsets(one, LIMIT).getOrDefault(id, 0L),
        reading.endOffsets(one, LIMIT).getOrDefault(id, 0L));
  }

  @FunctionalInterface
  private interface Look<T> {
    T look(KafkaConsumer<byte[], byte[]> reading, long deadline);
  }

  private <T> T reading(String topic, Look<T> look) {
    var deadline = System.nanoTime() + LIMIT.toNanos();
    try {
      if (!lock.tryLock(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) throw late(topic);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KafkaException("topic " + topic + ": interrupted", stopped);
    }
    try {
      return look.look(consumer(), deadline);
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
          new KafkaConsumer<>(
              Map.ofEntries(
                  Map.entry(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrap()),
                  Map.entry(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false),
                  Map.entry(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
                  Map.entry(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false),
                  Map.entry(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES),
                  // A fetch at the end that was begun ahead must not hold up the next question.
                  Map.entry(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20),
                  Map.entry(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES),
                  Map.entry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 100),
                  Map.entry(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) LIMIT.toMillis()),
                  Map.entry(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000),
                  Map.entry(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, ""),
                  Map.entry(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false)),
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      consumer = open;
    }
    return open;
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

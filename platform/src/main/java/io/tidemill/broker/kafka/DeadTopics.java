package io.tidemill.broker.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

/// Reads dead letters from the end of their topics backwards: bounded in time, and in memory
/// whatever lies there.
///
/// Every method throws [KafkaException] when the broker does not answer in time.
public final class DeadTopics implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration COUNT_LIMIT = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int FETCH_BYTES = 4 * 1024 * 1024;
  private static final int LONGEST_KEY = 512;

  private static final Comparator<DeadLetter> NEWEST =
      Comparator.comparing(DeadLetter::at).thenComparingLong(DeadLetter::offset).reversed();

  /// Some of a topic's dead letters, the newest first, without their values and headers.
  ///
  /// @param total how many there are
  /// @param before where the next page begins, by partition; empty when there is none
  public record Page(List<DeadLetter> letters, long total, Map<Integer, Long> before) {
    public Page {
      letters = List.copyOf(letters);
      before = Map.copyOf(before);
    }
  }

  private record Range(long begin, long end) {
    long size() {
      return Math.max(0, end - begin);
    }

    Range until(@Nullable Long before) {
      return before == null || before >= end ? this : new Range(begin, Math.max(begin, before));
    }
  }

  private final KafkaConfig config;
  // Kafka's consumer is for one thread at a time.
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;

  public DeadTopics(KafkaConfig config) {
    this.config = config;
  }

  /// Dead letters of a topic, the newest first.
  ///
  /// @param topic the one whose records died
  /// @param before where the page before this one ended; empty for the first
  public Page newest(String topic, Map<Integer, Long> before, int limit) {
    return reading(
        topic,
        (reading, deadline) -> {
          var ranges = ranges(reading, topic, LIMIT);
          var total = ranges.values().stream().mapToLong(Range::size).sum();
          var found = new ArrayList<DeadLetter>();
          ranges.replaceAll((id, range) -> range.until(before.get(id.partition())));
          for (var range : ranges.entrySet()) {
            found.addAll(last(reading, topic, range.getKey(), range.getValue(), limit, deadline));
          }
          var page = found.stream().sorted(NEWEST).limit(limit).toList();
          return new Page(page, total, next(ranges, page));
        });
  }

  private static Map<Integer, Long> next(Map<TopicPartition, Range> ranges, List<DeadLetter> page) {
    var next = new TreeMap<Integer, Long>();
    ranges.forEach((id, range) -> next.put(id.partition(), range.end()));
    for (var letter : page) next.merge(letter.partition(), letter.offset(), Math::min);
    var more =
        ranges.entrySet().stream()
            .anyMatch(
                each -> next.getOrDefault(each.getKey().partition(), 0L) > each.getValue().begin());
    return more && !page.isEmpty() ? next : Map.of();
  }

  // Offsets may have gaps, so it may take more than one look.
  private static List<DeadLetter> last(
      KafkaConsumer<byte[], byte[]> reading,
      String topic,
      TopicPartition id,
      Range range,
      int limit,
      long deadline) {
    var found = new ArrayList<DeadLetter>();
    for (var end = range.end(); end > range.begin() && found.size() < limit; ) {
      var begin = Math.max(range.begin(), end - (limit - found.size()));
      read(
          reading,
          id,
          new Range(begin, end),
          deadline,
          letter -> found.add(DeadLetter.listed(topic, letter, LONGEST_KEY)));
      end = begin;
    }
    return found;
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

  private static Map<TopicPartition, Range> ranges(
      KafkaConsumer<byte[], byte[]> reading, String topic, Duration limit) {
    var ids =
        reading.partitionsFor(DeadLetters.topic(topic), limit).stream()
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    reading.assign(ids); // Kafka's client warns of offsets that nobody asked it to follow
    var begins = reading.beginningOffsets(ids, limit);
    var ends = reading.endOffsets(ids, limit);
    var ranges =
        new TreeMap<TopicPartition, Range>(Comparator.comparingInt(TopicPartition::partition));
    for (var id : ids) {
      ranges.put(id, new Range(begins.getOrDefault(id, 0L), ends.getOrDefault(id, 0L)));
    }
    return ranges;
  }

  /// How many dead letters a topic has; does not wait as long for the broker as the others do.
  public long count(String topic) {
    return reading(
        topic,
        COUNT_LIMIT,
        (reading, _) ->
            ranges(reading, topic, COUNT_LIMIT).values().stream().mapToLong(Range::size).sum());
  }

  /// One dead letter, whole.
  public Optional<DeadLetter> find(String topic, int partition, long offset) {
    return reading(
        topic,
        (reading, deadline) -> {
          var id = new TopicPartition(DeadLetters.topic(topic), partition);
          var range = ranges(reading, topic, LIMIT).get(id);
          if (range == null || offset < range.begin() || offset >= range.end()) {
            return Optional.empty();
          }
          var found = new ArrayList<DeadLetter>();
          var only = new Range(offset, offset + 1);
          read(reading, id, only, deadline, letter -> found.add(DeadLetter.of(topic, letter)));
          return found.stream().findFirst();
        });
  }

  @FunctionalInterface
  private interface Look<T> {
    T look(KafkaConsumer<byte[], byte[]> reading, long deadline);
  }

  private <T> T reading(String topic, Look<T> look) {
    return reading(topic, LIMIT, look);
  }

  private <T> T reading(String topic, Duration limit, Look<T> look) {
    var deadline = System.nanoTime() + limit.toNanos();
    try {
      if (!lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) throw late(topic);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new KafkaException("dead letters of " + topic + ": interrupted", stopped);
    }
    try {
      return look.look(consumer(), deadline);
    } catch (org.apache.kafka.common.KafkaException failed) {
      if (failed instanceof InterruptException) Thread.currentThread().interrupt();
      throw new KafkaException("dead letters of " + topic + ": " + failed.getMessage(), failed);
    } finally {
      if (consumer != null) consumer.unsubscribe();
      lock.unlock();
    }
  }

  private static KafkaException late(String topic) {
    var why = new TimeoutException("it took too long");
    return new KafkaException("dead letters of " + topic + ": " + why.getMessage(), why);
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

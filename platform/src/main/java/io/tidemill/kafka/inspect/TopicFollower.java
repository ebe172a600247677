package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.PollLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/// Reads whole topics from wherever its owner was, without a group: nobody else reads less for it.
///
/// Topics need not exist yet. Used by one thread, but for [#wake]; every method throws
/// [KafkaException] when the broker refuses.
public final class TopicFollower implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
  private static final int FETCH_BYTES = 4 * 1024 * 1024;
  private static final int RECORDS = 500;

  private final List<String> topics;
  private final Map<Place, Long> from;
  private final long mostBehind;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Set<TopicPartition> assigned = new LinkedHashSet<>();
  private long skipped;
  private long lookedAt;
  private boolean looked;

  /// Where records lie.
  public record Place(String topic, int partition) {}

  /// @param name what the broker knows it by
  /// @param from offsets to begin at; a partition that is not named is read from its beginning
  /// @param mostBehind who is further behind in a partition leaves out what is older
  public TopicFollower(
      KafkaConfig config,
      String name,
      List<String> topics,
      Map<Place, Long> from,
      long mostBehind) {
    this.topics = List.copyOf(topics);
    this.from = new HashMap<>(from);
    this.mostBehind = mostBehind;
    try {
      consumer = KafkaClients.consumer(config, LIMIT, settings(name));
    } catch (org.apache.kafka.common.KafkaException unusable) {
      throw failed(unusable);
    }
  }

  private static Map<String, Object> settings(String name) {
    return Map.of(
        ConsumerConfig.CLIENT_ID_CONFIG,
        name,
        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
        "read_committed",
        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
        FETCH_BYTES,
        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
        FETCH_BYTES / 4,
        // Nothing new is the usual answer, and need not come often.
        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
        5_000,
        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
        RECORDS,
        ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
        5_000);
  }

  /// The next records, some at a time.
  ///
  /// @param patience how long to wait when there are none
  public List<KafkaRecord> poll(Duration patience) {
    return asking(() -> {
      look();
      if (assigned.isEmpty()) return List.of();
      var records = new ArrayList<KafkaRecord>();
      for (var record : consumer.poll(patience)) records.add(PollLoop.record(record));
      return records;
    });
  }

  // Topics may come later, those of dead letters with the first one.
  private void look() {
    var now = System.nanoTime();
    if (looked && now - lookedAt < LOOK_EVERY.toNanos()) return;
    lookedAt = now;
    var found = new ArrayList<TopicPartition>();
    for (var topic : topics) {
      for (var info : consumer.partitionsFor(topic, LIMIT)) {
        var id = new TopicPartition(topic, info.partition());
        if (!assigned.contains(id)) found.add(id);
      }
    }
    looked = true;
    if (!found.isEmpty()) add(found);
  }

  private void add(List<TopicPartition> found) {
    var all = new LinkedHashSet<>(assigned);
    all.addAll(found);
    consumer.assign(all); // Kafka's client warns of offsets that nobody asked it to follow
    var begins = consumer.beginningOffsets(found, LIMIT);
    var ends = consumer.endOffsets(found, LIMIT);
    for (var id : found) {
      var begin = begins.getOrDefault(id, 0L);
      var end = ends.getOrDefault(id, begin);
      var start = start(from.get(new Place(id.topic(), id.partition())), begin, end);
      consumer.seek(id, start);
    }
    assigned.addAll(found);
  }

  // A topic that was made anew has fewer records than were read of the old one.
  private long start(@Nullable Long known, long begin, long end) {
    var next = known == null || known > end ? begin : Math.max(begin, known);
    var latest = Math.max(next, end - mostBehind);
    if (known != null) skipped += latest - next;
    return latest;
  }

  /// Where it goes on.
  public Map<Place, Long> positions() {
    return asking(() -> {
      var next = new HashMap<>(from);
      for (var id : assigned) {
        next.put(new Place(id.topic(), id.partition()), consumer.position(id, LIMIT));
      }
      return next;
    });
  }

  /// The oldest offsets that there still are, of the partitions that it reads.
  public Map<Place, Long> begins() {
    return asking(() -> {
      var begins = new HashMap<Place, Long>();
      consumer
          .beginningOffsets(assigned, LIMIT)
          .forEach((id, offset) -> begins.put(new Place(id.topic(), id.partition()), offset));
      return begins;
    });
  }

  /// How many records are still to be read, as far as is known.
  public long behind() {
    // What the client knows of an end may be older than where it is,
    // and a broker may have lost its last records.
    return asking(() ->
        assigned.stream().mapToLong(id -> Math.max(0, consumer.currentLag(id).orElse(0))).sum());
  }

  /// How many were left out.
  public long skipped() {
    return skipped;
  }

  /// Ends a [#poll] that waits; any thread may.
  public void wake() {
    consumer.wakeup();
  }

  @FunctionalInterface
  private interface Question<T> {
    T ask();
  }

  private static <T> T asking(Question<T> question) {
    try {
      return question.ask();
    } catch (WakeupException woken) {
      throw new KafkaException("woken", woken);
    } catch (org.apache.kafka.common.KafkaException failed) {
      if (failed instanceof InterruptException) Thread.currentThread().interrupt();
      throw failed(failed);
    }
  }

  private static KafkaException failed(Exception cause) {
    return new KafkaException("topics can't be followed: " + cause.getMessage(), cause);
  }

  @Override
  public void close() {
    // The broker answers when something is new, or after a while: nobody waits for that.
    consumer.close(CloseOptions.timeout(Duration.ofMillis(200)));
  }
}

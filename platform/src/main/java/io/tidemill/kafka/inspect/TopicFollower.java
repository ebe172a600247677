package io.tidemill.kafka.inspect;

import io.tidemill.config.Renaming;
import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.KafkaRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/// Reads whole topics from stored offsets on, without a consumer group.
///
/// Topics need not exist yet. Used by one thread, except for [#wake]; every method throws
/// [KafkaException] when the broker refuses.
public final class TopicFollower implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final Duration DISCOVER_EVERY = Duration.ofSeconds(5);
  private static final int FETCH_BYTES = 4 * 1024 * 1024;
  private static final int RECORDS = 500;

  private final Renaming names;
  private final List<String> topics;
  private final Map<Place, Long> from;
  private final long mostBehind;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Set<TopicPartition> assigned = new LinkedHashSet<>();
  private long skipped;
  private long discoveredAt;
  private boolean isDiscovered;

  /// A partition of a topic.
  public record Place(String topic, int partition) {}

  /// @param name of the client, at the broker
  /// @param from offsets to begin at; other partitions are read from their beginning
  /// @param mostBehind older records of a partition are skipped
  public TopicFollower(
      KafkaConfig config,
      String name,
      List<String> topics,
      Map<Place, Long> from,
      long mostBehind) {
    names = config.topicNames();
    this.topics = names.names(List.copyOf(topics));
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
        // Most fetches find nothing new.
        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
        5_000,
        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
        RECORDS,
        ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
        5_000);
  }

  /// The next records, some at a time.
  ///
  /// @param patience how long to wait for the first one
  public List<KafkaRecord> poll(Duration patience) {
    return ask(() -> {
      discover();
      if (assigned.isEmpty()) return List.of();
      var records = new ArrayList<KafkaRecord>();
      for (var record : consumer.poll(patience)) records.add(KafkaRecord.of(record, names));
      return records;
    });
  }

  // Topics may be created later, those of dead letters with the first one.
  private void discover() {
    var now = System.nanoTime();
    if (isDiscovered && now - discoveredAt < DISCOVER_EVERY.toNanos()) return;
    discoveredAt = now;
    var found = new ArrayList<TopicPartition>();
    for (var topic : topics) {
      for (var info : consumer.partitionsFor(topic, LIMIT)) {
        var id = new TopicPartition(topic, info.partition());
        if (!assigned.contains(id)) found.add(id);
      }
    }
    isDiscovered = true;
    if (!found.isEmpty()) add(found);
  }

  private void add(List<TopicPartition> found) {
    var all = new LinkedHashSet<>(assigned);
    all.addAll(found);
    consumer.assign(all); // else the client warns about offsets of unassigned partitions
    var begins = consumer.beginningOffsets(found, LIMIT);
    var ends = consumer.endOffsets(found, LIMIT);
    for (var id : found) {
      var begin = begins.getOrDefault(id, 0L);
      var end = ends.getOrDefault(id, begin);
      var start = start(from.get(place(id)), begin, end);
      consumer.seek(id, start);
    }
    assigned.addAll(found);
  }

  private Place place(TopicPartition id) {
    return new Place(names.original(id.topic()), id.partition());
  }

  // A topic that was deleted and created again may end before the stored offset.
  private long start(@Nullable Long known, long begin, long end) {
    var next = known == null || known > end ? begin : Math.max(begin, known);
    var latest = Math.max(next, end - mostBehind);
    if (known != null) skipped += latest - next;
    return latest;
  }

  /// The offsets to continue from.
  public Map<Place, Long> positions() {
    return ask(() -> {
      var next = new HashMap<>(from);
      for (var id : assigned) {
        next.put(place(id), consumer.position(id, LIMIT));
      }
      return next;
    });
  }

  /// The first offsets that are kept, of the partitions that it reads.
  public Map<Place, Long> begins() {
    return ask(() -> {
      var begins = new HashMap<Place, Long>();
      consumer
          .beginningOffsets(assigned, LIMIT)
          .forEach((id, offset) -> begins.put(place(id), offset));
      return begins;
    });
  }

  /// Records that are still to be read, as far as is known.
  public long behind() {
    // The end that the client knows may be older than its position,
    // and a broker may have lost its last records.
    return ask(() ->
        assigned.stream().mapToLong(id -> Math.max(0, consumer.currentLag(id).orElse(0))).sum());
  }

  /// Records that were skipped.
  public long skipped() {
    return skipped;
  }

  /// Ends a [#poll] that waits; any thread may call it.
  public void wake() {
    consumer.wakeup();
  }

  private static <T> T ask(Supplier<T> question) {
    try {
      return question.get();
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
    // Does not wait for the pending fetch, which lasts until a record arrives.
    consumer.close(CloseOptions.timeout(Duration.ofMillis(200)));
  }
}

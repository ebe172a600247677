package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.inspect.TopicBrowser.Browse;
import io.tidemill.kafka.inspect.TopicBrowser.Range;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Looks into topics, in no group and without committing anything: bounded in time, and in memory
/// whatever lies there.
///
/// Every method throws [KafkaException] when the broker does not answer in time.
public final class TopicInspector implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final int FETCH_BYTES = 1024 * 1024;
  private static final int MOST_BYTES = 16 * 1024 * 1024;

  private static final Comparator<KafkaRecord> NEWEST =
      Comparator.comparingLong(KafkaRecord::timestamp)
          .thenComparingLong(KafkaRecord::offset)
          .reversed();

  private final TopicBrowser looks;

  public TopicInspector(KafkaConfig config) {
    looks = new TopicBrowser(config, LIMIT, FETCH_BYTES);
  }

  /// The newest records of a topic, or of one of its partitions, the newest first; fewer when those
  /// are very large.
  ///
  /// @param partition null for all of them
  public List<KafkaRecord> newest(String topic, @Nullable Integer partition, int limit) {
    return looks.look(
        topic,
        look -> {
          var found = new ArrayList<KafkaRecord>();
          look.ranges()
              .forEach((id, range) -> {
                if (partition == null || partition.equals(id)) {
                  found.addAll(last(look, id, range, limit));
                }
              });
          return found.stream().sorted(NEWEST).limit(limit).toList();
        });
  }

  // Offsets may have gaps, so it may take more than one look.
  private static List<KafkaRecord> last(Browse look, int partition, Range range, int limit) {
    var found = new ArrayDeque<KafkaRecord>();
    for (var end = range.end(); end > range.begin() && found.size() < limit; ) {
      var begin = Math.max(range.begin(), end - (limit - found.size()));
      var part = new Newest();
      look.read(partition, new Range(begin, end), part::add);
      part.records.descendingIterator().forEachRemaining(found::addLast);
      if (part.bytes > MOST_BYTES / 2) break;
      end = begin;
    }
    return List.copyOf(found);
  }

  /// As many as fit: what came first goes first.
  private static final class Newest {
    final ArrayDeque<KafkaRecord> records = new ArrayDeque<>();
    long bytes;

    boolean add(KafkaRecord record) {
      records.addLast(record);
      bytes += size(record);
      while (bytes > MOST_BYTES && records.size() > 1) bytes -= size(records.removeFirst());
      return true;
    }
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
    return looks.look(
        topic,
        look -> {
          var whole = look.ranges().get(partition);
          if (whole == null) return Optional.empty();
          var begin = Math.clamp(offset, whole.begin(), whole.end());
          var found = new ArrayList<KafkaRecord>();
          var bytes = new long[1];
          look.read(
              partition,
              new Range(begin, whole.end()),
              record -> {
                found.add(record);
                bytes[0] += size(record);
                return found.size() < limit && bytes[0] < MOST_BYTES;
              });
          var next = found.isEmpty() ? whole.end() : found.getLast().offset() + 1;
          return Optional.of(new Page(found, next < whole.end() ? next : null));
        });
  }

  /// Hands over the newest records of each partition, the oldest of them first, as far as there is
  /// time; what was handed over before counts.
  public void scan(String topic, int perPartition, Consumer<KafkaRecord> reader) {
    looks.look(
        topic,
        look -> {
          look.ranges()
              .forEach((partition, range) -> {
                var begin = Math.max(range.begin(), range.end() - perPartition);
                look.read(
                    partition,
                    new Range(begin, range.end()),
                    record -> {
                      reader.accept(record);
                      return true;
                    });
              });
          return topic;
        });
  }

  @Override
  public void close() {
    looks.close();
  }
}

package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.inspect.TopicBrowser.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Peeks at records of topics without a consumer group, within limits of time and memory.
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

  private final TopicBrowser browser;

  public TopicInspector(KafkaConfig config) {
    browser = new TopicBrowser(config, LIMIT, FETCH_BYTES);
  }

  /// The newest records of a topic or of one of its partitions, the newest first; fewer when they
  /// are very large.
  ///
  /// @param partition null for all of them
  public List<KafkaRecord> newest(String topic, @Nullable Integer partition, int limit) {
    return browser.browse(
        topic,
        browse -> {
          var found = new ArrayList<KafkaRecord>();
          browse
              .ranges()
              .forEach((id, range) -> {
                if (partition == null || partition.equals(id)) {
                  found.addAll(browse.last(id, range, limit, MOST_BYTES, record -> record));
                }
              });
          return found.stream().sorted(NEWEST).limit(limit).toList();
        });
  }

  /// Some records of a partition in their order.
  ///
  /// @param next offset of the next page; null at the partition's end
  public record Page(List<KafkaRecord> records, @Nullable Long next) {
    public Page {
      records = List.copyOf(records);
    }
  }

  /// Records from an offset on, the oldest first; empty when there is no such partition.
  public Optional<Page> from(String topic, int partition, long offset, int limit) {
    return browser.browse(
        topic,
        browse -> {
          var whole = browse.ranges().get(partition);
          if (whole == null) return Optional.empty();
          var begin = Math.clamp(offset, whole.begin(), whole.end());
          var found = new ArrayList<KafkaRecord>();
          var bytes = new long[1];
          browse.read(
              partition,
              new Range(begin, whole.end()),
              record -> {
                found.add(record);
                bytes[0] += TopicBrowser.size(record);
                return found.size() < limit && bytes[0] < MOST_BYTES;
              });
          var next = found.isEmpty() ? whole.end() : found.getLast().offset() + 1;
          return Optional.of(new Page(found, next < whole.end() ? next : null));
        });
  }

  /// Passes the newest records of each partition to the reader, the oldest of them first. When time
  /// runs out it throws, and what was passed before counts.
  public void scan(String topic, int perPartition, Consumer<KafkaRecord> reader) {
    browser.browse(
        topic,
        browse -> {
          browse
              .ranges()
              .forEach((partition, range) -> {
                var begin = Math.max(range.begin(), range.end() - perPartition);
                browse.read(
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
    browser.close();
  }
}

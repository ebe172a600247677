package io.tidemill.kafka.inspect;

import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.consumer.DeadRecord;
import io.tidemill.kafka.consumer.DeadRecordPublisher;
import io.tidemill.kafka.inspect.TopicBrowser.Browse;
import io.tidemill.kafka.inspect.TopicBrowser.Range;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/// Reads dead letters from the end of their topics backwards: bounded in time, and in memory
/// whatever lies there.
///
/// Every method throws [KafkaException] when the broker does not answer in time.
public final class DeadTopicReader implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final Duration COUNT_LIMIT = Duration.ofSeconds(2);
  private static final int FETCH_BYTES = 4 * 1024 * 1024;
  private static final int LONGEST_KEY = 512;

  private static final Comparator<DeadRecord> NEWEST =
      Comparator.comparing(DeadRecord::at).thenComparingLong(DeadRecord::offset).reversed();

  /// Some of a topic's dead letters, the newest first, without their values and headers.
  ///
  /// @param total how many there are
  /// @param before where the next page begins, by partition; empty when there is none
  public record Page(List<DeadRecord> letters, long total, Map<Integer, Long> before) {
    public Page {
      letters = List.copyOf(letters);
      before = Map.copyOf(before);
    }
  }

  private final TopicBrowser looks;

  public DeadTopicReader(KafkaConfig config) {
    looks = new TopicBrowser(config, LIMIT, FETCH_BYTES);
  }

  /// Dead letters of a topic, the newest first.
  ///
  /// @param topic the one whose records died
  /// @param before where the page before this one ended; empty for the first
  public Page newest(String topic, Map<Integer, Long> before, int limit) {
    return looks.look(
        DeadRecordPublisher.topic(topic),
        look -> {
          var ranges = look.ranges();
          var total = total(ranges);
          var found = new ArrayList<DeadRecord>();
          ranges.replaceAll((partition, range) -> range.until(before.get(partition)));
          ranges.forEach(
              (partition, range) -> found.addAll(last(look, topic, partition, range, limit)));
          var page = found.stream().sorted(NEWEST).limit(limit).toList();
          return new Page(page, total, next(ranges, page));
        });
  }

  private static long total(Map<Integer, Range> ranges) {
    return ranges.values().stream().mapToLong(Range::size).sum();
  }

  private static Map<Integer, Long> next(Map<Integer, Range> ranges, List<DeadRecord> page) {
    var next = new TreeMap<Integer, Long>();
    ranges.forEach((partition, range) -> next.put(partition, range.end()));
    for (var letter : page) next.merge(letter.partition(), letter.offset(), Math::min);
    var more =
        ranges.entrySet().stream()
            .anyMatch(each -> next.getOrDefault(each.getKey(), 0L) > each.getValue().begin());
    return more && !page.isEmpty() ? next : Map.of();
  }

  // Offsets may have gaps, so it may take more than one look.
  private static List<DeadRecord> last(
      Browse look, String topic, int partition, Range range, int limit) {
    var found = new ArrayList<DeadRecord>();
    for (var end = range.end(); end > range.begin() && found.size() < limit; ) {
      var begin = Math.max(range.begin(), end - (limit - found.size()));
      look.read(
          partition,
          new Range(begin, end),
          letter -> found.add(DeadRecord.listed(topic, letter, LONGEST_KEY)));
      end = begin;
    }
    return found;
  }

  /// How many dead letters a topic has; does not wait as long for the broker as the others do.
  public long count(String topic) {
    return looks.look(DeadRecordPublisher.topic(topic), COUNT_LIMIT, look -> total(look.ranges()));
  }

  /// Tells of a partition and an offset whether the topic keeps them, as of now.
  ///
  /// @param topic the one whose records died
  public BiPredicate<Integer, Long> kept(String topic) {
    var ranges = looks.look(DeadRecordPublisher.topic(topic), Browse::ranges);
    return (partition, offset) -> {
      var range = ranges.get(partition);
      return range != null && range.contains(offset);
    };
  }

  /// One dead letter, whole.
  public Optional<DeadRecord> find(String topic, int partition, long offset) {
    return looks.look(
        DeadRecordPublisher.topic(topic),
        look -> {
          var range = look.ranges().get(partition);
          if (range == null || !range.contains(offset)) return Optional.empty();
          var found = new ArrayList<DeadRecord>();
          look.read(
              partition,
              new Range(offset, offset + 1),
              letter -> found.add(DeadRecord.of(topic, letter)));
          return found.stream().findFirst();
        });
  }

  @Override
  public void close() {
    looks.close();
  }
}

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

/// Reads dead letters from the end of their topics backwards, within limits of time and memory.
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
  /// @param total dead letters in the topic
  /// @param before offsets of the next page by partition; empty when there is none
  public record Page(List<DeadRecord> letters, long total, Map<Integer, Long> before) {
    public Page {
      letters = List.copyOf(letters);
      before = Map.copyOf(before);
    }
  }

  private final TopicBrowser browser;

  public DeadTopicReader(KafkaConfig config) {
    browser = new TopicBrowser(config, LIMIT, FETCH_BYTES);
  }

  /// Dead letters of a topic, the newest first.
  ///
  /// @param topic the original one
  /// @param before that of the previous page; empty for the first
  public Page newest(String topic, Map<Integer, Long> before, int limit) {
    return browser.browse(
        DeadRecordPublisher.topic(topic),
        browse -> {
          var ranges = browse.ranges();
          var total = total(ranges);
          var found = new ArrayList<DeadRecord>();
          ranges.replaceAll((partition, range) -> range.until(before.get(partition)));
          ranges.forEach((partition, range) ->
              found.addAll(
                  browse.last(
                      partition,
                      range,
                      limit,
                      Long.MAX_VALUE,
                      record -> DeadRecord.listed(topic, record, LONGEST_KEY))));
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
    for (var record : page) next.merge(record.partition(), record.offset(), Math::min);
    var more =
        ranges.entrySet().stream()
            .anyMatch(each -> next.getOrDefault(each.getKey(), 0L) > each.getValue().begin());
    return more && !page.isEmpty() ? next : Map.of();
  }

  /// The number of dead letters of a topic; waits for a shorter time than the other methods.
  public long count(String topic) {
    return browser.browse(
        DeadRecordPublisher.topic(topic), COUNT_LIMIT, browse -> total(browse.ranges()));
  }

  /// Tests whether the topic of dead letters still keeps a partition's offset, as of now.
  ///
  /// @param topic the original one
  public BiPredicate<Integer, Long> kept(String topic) {
    var ranges = browser.browse(DeadRecordPublisher.topic(topic), Browse::ranges);
    return (partition, offset) -> {
      var range = ranges.get(partition);
      return range != null && range.contains(offset);
    };
  }

  /// One dead letter with its value and headers.
  public Optional<DeadRecord> find(String topic, int partition, long offset) {
    return browser.browse(
        DeadRecordPublisher.topic(topic),
        browse -> {
          var range = browse.ranges().get(partition);
          if (range == null || !range.contains(offset)) return Optional.empty();
          var found = new ArrayList<DeadRecord>();
          browse.read(
              partition,
              new Range(offset, offset + 1),
              record -> found.add(DeadRecord.of(topic, record)));
          return found.stream().findFirst();
        });
  }

  @Override
  public void close() {
    browser.close();
  }
}

package io.tidemill.deadletter;

import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds out whether a record is in its topic, for the successor of somebody who died while it was
/// being published (F04).
public final class PublishedCheck implements AutoCloseable {
  private final KafkaConfig config;
  private @Nullable PublishedRecordFinder finder;

  public PublishedCheck(KafkaConfig config) {
    this.config = config;
  }

  /// Where the record will be at the earliest, by partition.
  public Map<Integer, Long> ends(OutgoingRecord record) {
    var ends = finder().endOffsets(record.topic());
    var only = record.partition();
    return only != null && ends.containsKey(only) ? Map.of(only, ends.get(only)) : ends;
  }

  /// Whether the very same record lies at or behind these places.
  public boolean contains(OutgoingRecord record, Map<Integer, Long> places) {
    return places.entrySet().stream()
        .flatMap(place ->
            finder()
                .since(
                    record.topic(),
                    place.getKey(),
                    place.getValue(),
                    Instant.EPOCH, // it has the time of the original
                    key -> Arrays.equals(key, record.key()))
                .stream())
        .anyMatch(found -> isSame(found, record));
  }

  private static boolean isSame(KafkaRecord found, OutgoingRecord record) {
    return Arrays.equals(found.value(), record.value())
        && isSame(found.headers(), record.headers());
  }

  private static boolean isSame(List<KafkaHeader> some, List<KafkaHeader> others) {
    if (some.size() != others.size()) return false;
    for (int i = 0; i < some.size(); i++) {
      var one = some.get(i);
      var other = others.get(i);
      if (!one.name().equals(other.name()) || !Arrays.equals(one.value(), other.value())) {
        return false;
      }
    }
    return true;
  }

  // On first use: a name that does not resolve yet must not keep a process from starting.
  private synchronized PublishedRecordFinder finder() {
    var open = finder;
    if (open == null) {
      open = new PublishedRecordFinder(config);
      finder = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    if (finder != null) finder.close();
    finder = null;
  }
}

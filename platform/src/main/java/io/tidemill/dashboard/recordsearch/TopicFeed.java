package io.tidemill.dashboard.recordsearch;

import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.DeadRecord;
import io.tidemill.kafka.consumer.DeadRecordPublisher;
import io.tidemill.kafka.inspect.TopicFollower;
import io.tidemill.kafka.inspect.TopicFollower.Place;
import io.tidemill.recordsearch.RecordIndex;
import io.tidemill.redis.BulkRead;
import io.tidemill.redis.Redis;
import io.tidemill.workflow.WorkflowsConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Workflows, tasks and crawls, and the dead letters of their topics.
final class TopicFeed implements RecordFeed {
  private static final Duration TIDY_EVERY = Duration.ofMinutes(1);

  private final TopicFollower topics;
  private final Map<ExecutionKind, ExecutionIndexRecords> flows = new LinkedHashMap<>();
  private final CrawlRecords crawls;
  private final HandledDeadLetterStore handled;
  // The topics whose records died, by those of their dead letters.
  private final Map<String, String> origins = new LinkedHashMap<>();
  private Map<Place, Long> positions;
  private long behind;
  private long skipped;
  // At once: much may have been handled meanwhile.
  private long tidiedAt = System.nanoTime() - TIDY_EVERY.toNanos();

  /// @param keep so many things can be found; what is older need not be read
  TopicFeed(
      KafkaConfig kafka,
      Redis redis,
      WorkflowsConfig config,
      int keep,
      Map<String, String> marks,
      RecordIndex index) {
    var glance = new BulkRead(redis);
    for (var kind : ExecutionKind.values()) {
      flows.put(kind, new ExecutionIndexRecords(kind, glance, config.keep()));
      origins.put(DeadRecordPublisher.topic(kind.topic()), kind.topic());
    }
    crawls = new CrawlRecords(glance, index);
    handled = new HandledDeadLetterStore(redis);
    for (var topic : List.of(CrawlNames.REQUESTS, CrawlNames.RESPONSES)) {
      origins.put(DeadRecordPublisher.topic(topic), topic);
    }
    var all = new ArrayList<>(origins.values());
    all.addAll(origins.keySet());
    positions = places(marks);
    topics = new TopicFollower(kafka, "tidemill-find", all, positions, keep);
  }

  private static Map<Place, Long> places(Map<String, String> marks) {
    var places = new HashMap<Place, Long>();
    marks.forEach((name, offset) -> {
      var slash = name.lastIndexOf('/');
      try {
        var partition = Integer.parseInt(name.substring(slash + 1));
        places.put(
            new Place(name.substring(0, Math.max(0, slash)), partition), Long.valueOf(offset));
      } catch (NumberFormatException strange) {
        // Not a place: read from the beginning.
      }
    });
    return places;
  }

  @Override
  public int round(RecordIndex index, Duration patience) {
    var records = topics.poll(patience);
    for (var kind : flows.entrySet()) {
      kind.getValue().put(of(kind.getKey().topic(), records), index);
    }
    for (var record : records) if (isCrawl(record)) crawls.put(record, index);
    origins.forEach((dead, origin) -> putDead(origin, of(dead, records), index));
    positions = topics.positions();
    behind = topics.behind();
    skipped = topics.skipped();
    tidy(index);
    return records.size() + crawls.look(index);
  }

  private void putDead(String topic, List<KafkaRecord> records, RecordIndex index) {
    var letters = records.stream().map(record -> DeadRecord.of(topic, record)).toList();
    var done = handled.of(topic, letters.stream().map(DeadRecord::name).toList());
    for (var letter : letters) {
      if (!done.containsKey(letter.name())) index.put(DeadLetterRecords.of(letter));
    }
  }

  private static List<KafkaRecord> of(String topic, List<KafkaRecord> records) {
    return records.stream().filter(record -> record.topic().equals(topic)).toList();
  }

  private static boolean isCrawl(KafkaRecord record) {
    return record.topic().equals(CrawlNames.REQUESTS)
        || record.topic().equals(CrawlNames.RESPONSES);
  }

  private void tidy(RecordIndex index) {
    var now = System.nanoTime();
    if (now - tidiedAt < TIDY_EVERY.toNanos()) return;
    tidiedAt = now;
    for (var topic : origins.values()) DeadLetterRecords.forget(topic, handled.all(topic), index);
    topics
        .begins()
        .forEach((place, begin) -> {
          var origin = origins.get(place.topic());
          if (origin != null && begin > 0) {
            DeadLetterRecords.forget(origin, place.partition(), begin, index);
          }
        });
  }

  @Override
  public Map<String, String> marks() {
    var marks = new HashMap<String, String>();
    positions.forEach((place, offset) ->
        marks.put(place.topic() + "/" + place.partition(), String.valueOf(offset)));
    return marks;
  }

  @Override
  public long behind() {
    return behind;
  }

  @Override
  public long skipped() {
    return skipped;
  }

  @Override
  public void wake() {
    topics.wake();
  }

  @Override
  public void close() {
    topics.close();
  }
}

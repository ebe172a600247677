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
  private static final Duration REMOVE_EVERY = Duration.ofMinutes(1);

  private final TopicFollower topics;
  private final Map<ExecutionKind, ExecutionIndexRecords> executions = new LinkedHashMap<>();
  private final CrawlRecords crawls;
  private final HandledDeadLetterStore handled;
  // Original topics by the topics of their dead letters.
  private final Map<String, String> origins = new LinkedHashMap<>();
  private Map<Place, Long> positions;
  private long behind;
  private long skipped;
  // At once: dead letters may have been handled while this process was down.
  private long removedAt = System.nanoTime() - REMOVE_EVERY.toNanos();

  /// @param keep size of the index; older records need not be read
  TopicFeed(
      KafkaConfig kafka,
      Redis redis,
      WorkflowsConfig config,
      int keep,
      Map<String, String> checkpoint,
      RecordIndex index) {
    var bulkRead = new BulkRead(redis);
    for (var kind : ExecutionKind.values()) {
      executions.put(kind, new ExecutionIndexRecords(kind, bulkRead, config.keep()));
      origins.put(DeadRecordPublisher.topic(kind.topic()), kind.topic());
    }
    crawls = new CrawlRecords(bulkRead, index);
    handled = new HandledDeadLetterStore(redis);
    for (var topic : List.of(CrawlNames.REQUESTS, CrawlNames.RESPONSES)) {
      origins.put(DeadRecordPublisher.topic(topic), topic);
    }
    var all = new ArrayList<>(origins.values());
    all.addAll(origins.keySet());
    positions = places(checkpoint);
    topics = new TopicFollower(kafka, "tidemill-find", all, positions, keep);
  }

  private static Map<Place, Long> places(Map<String, String> checkpoint) {
    var places = new HashMap<Place, Long>();
    checkpoint.forEach((name, offset) -> {
      var slash = name.lastIndexOf('/');
      try {
        var partition = Integer.parseInt(name.substring(slash + 1));
        places.put(
            new Place(name.substring(0, Math.max(0, slash)), partition), Long.valueOf(offset));
      } catch (NumberFormatException strange) {
        // not a partition
      }
    });
    return places;
  }

  @Override
  public int poll(RecordIndex index, Duration patience) {
    var records = topics.poll(patience);
    for (var kind : executions.entrySet()) {
      kind.getValue().put(of(kind.getKey().topic(), records), index);
    }
    for (var record : records) if (isCrawl(record)) crawls.put(record, index);
    origins.forEach((dead, origin) -> putDead(origin, of(dead, records), index));
    positions = topics.positions();
    behind = topics.behind();
    skipped = topics.skipped();
    removeGone(index);
    return records.size() + crawls.checkUnfinished(index);
  }

  private void putDead(String topic, List<KafkaRecord> records, RecordIndex index) {
    var dead = records.stream().map(record -> DeadRecord.of(topic, record)).toList();
    var done = handled.of(topic, dead.stream().map(DeadRecord::name).toList());
    for (var each : dead) {
      if (!done.containsKey(each.name())) index.put(DeadLetterRecords.of(each));
    }
  }

  private static List<KafkaRecord> of(String topic, List<KafkaRecord> records) {
    return records.stream().filter(record -> record.topic().equals(topic)).toList();
  }

  private static boolean isCrawl(KafkaRecord record) {
    return record.topic().equals(CrawlNames.REQUESTS)
        || record.topic().equals(CrawlNames.RESPONSES);
  }

  private void removeGone(RecordIndex index) {
    var now = System.nanoTime();
    if (now - removedAt < REMOVE_EVERY.toNanos()) return;
    removedAt = now;
    for (var topic : origins.values()) DeadLetterRecords.remove(topic, handled.all(topic), index);
    topics
        .begins()
        .forEach((place, begin) -> {
          var origin = origins.get(place.topic());
          if (origin != null && begin > 0) {
            DeadLetterRecords.remove(origin, place.partition(), begin, index);
          }
        });
  }

  @Override
  public Map<String, String> checkpoint() {
    var checkpoint = new HashMap<String, String>();
    positions.forEach((place, offset) ->
        checkpoint.put(place.topic() + "/" + place.partition(), String.valueOf(offset)));
    return checkpoint;
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

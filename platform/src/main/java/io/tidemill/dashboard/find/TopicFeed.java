package io.tidemill.dashboard.find;

import io.tidemill.broker.kafka.DeadLetter;
import io.tidemill.broker.kafka.DeadLetters;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.broker.kafka.KafkaRecord;
import io.tidemill.broker.kafka.TopicFollower;
import io.tidemill.broker.kafka.TopicFollower.Place;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.Glance;
import io.tidemill.store.redis.HandledLetters;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.search.things.ThingIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Workflows, tasks and crawls, and the dead letters of their topics.
final class TopicFeed implements Feed {
  private static final Duration TIDY_EVERY = Duration.ofMinutes(1);

  private final TopicFollower topics;
  private final Map<FlowKind, FlowThings> flows = new LinkedHashMap<>();
  private final CrawlThings crawls;
  private final HandledLetters handled;
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
      FlowsConfig config,
      int keep,
      Map<String, String> marks,
      ThingIndex index) {
    var glance = new Glance(redis);
    for (var kind : FlowKind.values()) {
      flows.put(kind, new FlowThings(kind, glance, config.keep()));
      origins.put(DeadLetters.topic(kind.topic()), kind.topic());
    }
    crawls = new CrawlThings(glance, index);
    handled = new HandledLetters(redis);
    for (var topic : List.of(CrawlNames.REQUESTS, CrawlNames.RESPONSES)) {
      origins.put(DeadLetters.topic(topic), topic);
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
  public int round(ThingIndex index, Duration patience) {
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

  private void putDead(String topic, List<KafkaRecord> records, ThingIndex index) {
    var letters = records.stream().map(record -> DeadLetter.of(topic, record)).toList();
    var done = handled.of(topic, letters.stream().map(DeadLetter::name).toList());
    for (var letter : letters) {
      if (!done.containsKey(letter.name())) index.put(DeadThings.of(letter));
    }
  }

  private static List<KafkaRecord> of(String topic, List<KafkaRecord> records) {
    return records.stream().filter(record -> record.topic().equals(topic)).toList();
  }

  private static boolean isCrawl(KafkaRecord record) {
    return record.topic().equals(CrawlNames.REQUESTS)
        || record.topic().equals(CrawlNames.RESPONSES);
  }

  private void tidy(ThingIndex index) {
    var now = System.nanoTime();
    if (now - tidiedAt < TIDY_EVERY.toNanos()) return;
    tidiedAt = now;
    for (var topic : origins.values()) DeadThings.forget(topic, handled.all(topic), index);
    topics
        .begins()
        .forEach((place, begin) -> {
          var origin = origins.get(place.topic());
          if (origin != null && begin > 0) {
            DeadThings.forget(origin, place.partition(), begin, index);
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

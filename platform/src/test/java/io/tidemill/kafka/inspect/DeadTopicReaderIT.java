package io.tidemill.kafka.inspect;

import static io.tidemill.support.TestKafka.bytes;
import static io.tidemill.support.TestKafka.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.kafka.consumer.DeadRecord;
import io.tidemill.support.TestKafka;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Dead letters as they are read back, against a real broker (G3).
class DeadTopicReaderIT {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final TestKafka kafka = TestKafka.shared();
  private final DeadTopicReader letters = new DeadTopicReader(kafka.config());

  @AfterEach
  void close() {
    kafka.stopConsumers();
    letters.close();
  }

  @Test
  void aTopicWithoutDeadLettersHasNone() {
    var page = letters.newest(kafka.topic(1), Map.of(), 10);

    assertThat(page.letters()).isEmpty();
    assertThat(page.total()).isZero();
    assertThat(page.before()).isEmpty();
    assertThat(letters.find("no-such-topic", 0, 0)).isEmpty();
  }

  @Test
  void aDeadLetterIsTheOriginalAndWhyItDied() {
    var topic = kafka.topic(3);
    var at = Instant.parse("2026-01-04T01:09:27.123Z");
    var value = new byte[] {0, (byte) 0xff, 7};
    var original =
        new OutgoingRecord(topic, bytes("wf-1"), List.of(KafkaHeader.of("a", "b")), value, at, 2);
    var place = kafka.publisher().publish(original);
    kafka.consume(settings("die-" + topic, topic), _ -> new Settlement.DeadLetter("no event"));
    await().atMost(LONG).until(() -> letters.newest(topic, Map.of(), 10).total() == 1);

    var listed = letters.newest(topic, Map.of(), 10).letters().getFirst();
    var letter = letters.find(topic, listed.partition(), listed.offset()).orElseThrow();

    assertThat(listed.value()).isNull();
    assertThat(listed.size()).isEqualTo(3);
    assertThat(listed.reason()).isEqualTo("no event");
    assertThat(letter.originPartition()).isEqualTo(2);
    assertThat(letter.originOffset()).isEqualTo(place.offset());
    assertThat(letter.attempts()).isEqualTo(1);
    assertThat(letter.original()).usingRecursiveComparison().isEqualTo(original);
    assertThat(letters.find(topic, 0, listed.offset() + 1)).isEmpty();
    assertThat(letters.find(topic, 7, 0)).isEmpty();
  }

  @Test
  void pagesGoBackFromTheEndWithoutGapOrRepetition() {
    var topic = kafka.topic(1);
    dead(topic, 1);
    publish(topic, 95);

    var seen = new ArrayList<Long>();
    var page = letters.newest(topic, Map.of(), 20);
    seen.addAll(offsets(page));
    publish(topic, 3); // what dies meanwhile does not shift the pages
    while (!page.before().isEmpty()) {
      page = letters.newest(topic, page.before(), 20);
      seen.addAll(offsets(page));
    }

    assertThat(seen).isEqualTo(IntStream.range(0, 95).mapToObj(i -> 94L - i).toList());
    assertThat(page.total()).isEqualTo(98);
  }

  @Test
  void lettersOfSeveralPartitionsAreMixedByTheirTime() {
    var topic = kafka.topic(1);
    dead(topic, 3);
    var start = Instant.parse("2026-01-04T00:00:00Z");
    for (int i = 0; i < 30; i++) {
      var letter =
          new OutgoingRecord(
              topic + ".dead", null, List.of(), bytes("" + i), start.plusSeconds(i), i % 3);
      kafka.publisher().publish(letter);
    }

    var times = new ArrayList<Instant>();
    var page = letters.newest(topic, Map.of(), 7);
    page.letters().forEach(letter -> times.add(letter.at()));
    while (!page.before().isEmpty()) {
      page = letters.newest(topic, page.before(), 7);
      page.letters().forEach(letter -> times.add(letter.at()));
    }

    assertThat(times)
        .isEqualTo(IntStream.range(0, 30).mapToObj(i -> start.plusSeconds(29 - i)).toList());
  }

  @Test
  void whatAnybodyWroteThereIsShownAsFarAsItGoes() {
    var topic = kafka.topic(1);
    dead(topic, 1);
    kafka.publish(topic + ".dead", null, null, KafkaHeader.of("dead-partition", "x"));

    var letter = letters.find(topic, 0, 0).orElseThrow();

    assertThat(letter.originPartition()).isEqualTo(-1);
    assertThat(letter.originAt()).isNull();
    assertThat(letter.reason()).isEmpty();
    assertThat(letter.original().partition()).isNull();
    assertThat(letter.original().headers()).isEmpty();
  }

  private void dead(String topic, int partitions) {
    try (var topics = new TopicProvisioner(kafka.config())) {
      topics.provision(
          List.of(new TopicProvisioner.Wanted(topic + ".dead", partitions, Duration.ofMillis(-1))));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void publish(String topic, int count) {
    for (int i = 0; i < count; i++) kafka.publish(topic + ".dead", "k", "v" + i);
  }

  private static List<Long> offsets(DeadTopicReader.Page page) {
    return page.letters().stream().map(DeadRecord::offset).toList();
  }
}

package io.tidemill.kafka;

import static io.tidemill.support.TestKafka.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.ReadingConsumer;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.support.TestKafka;
import io.tidemill.work.Settlement;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/// Publishing, pinning and looking back, against a real broker.
class KafkaPublisherIT {
  private final TestKafka kafka = TestKafka.shared();

  @Test
  void aPublishedRecordIsInTheTopicAsItWasGiven() { // F06
    var topic = kafka.topic(1);
    var at = Instant.parse("2026-01-04T01:09:27.123Z");
    var headers =
        List.of(
            KafkaHeader.of("id", "a"),
            new KafkaHeader("raw", new byte[] {0, -1}),
            new KafkaHeader("none", null),
            KafkaHeader.of("id", "b"));

    var first =
        kafka.publisher().publish(new OutgoingRecord(topic, bytes("k"), headers, bytes("v"), at));
    var second = kafka.publisher().publish(new OutgoingRecord(topic, null, List.of(), null));

    assertThat(first).isEqualTo(new PublishedRecord(topic, 0, 0));
    assertThat(second.offset()).isEqualTo(1);
    var found = ReadingConsumer.read(kafka.config(), topic, 2, Duration.ofSeconds(10));
    assertThat(found.getFirst())
        .usingRecursiveComparison()
        .isEqualTo(
            new KafkaRecord(topic, 0, 0, bytes("k"), headers, bytes("v"), at.toEpochMilli()));
    assertThat(found.getFirst().header("id")).contains(bytes("b"));
    assertThat(found.getFirst().header("none")).isEmpty();
    assertThat(found.getLast().key()).isNull();
    assertThat(found.getLast().value()).isNull();
  }

  @Test
  void manyThreadsPublishAtOnce() throws Exception {
    var topic = kafka.topic(3);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers =
          IntStream.range(0, 5_000)
              .mapToObj(i -> threads.submit(() -> publish(topic, "k" + i, "v")))
              .toList();
      for (Future<PublishedRecord> answer : answers)
        assertThat(answer.get().topic()).isEqualTo(topic);
    }

    assertThat(ReadingConsumer.lag(kafka.config(), "nobody", topic)).isEqualTo(5_000);
  }

  @Test
  void aRecordThatIsTooLargeIsToldApart() { // F08
    var topic = kafka.topic(1);

    for (var size : List.of(1_100_000, 20_000_000)) {
      assertThatThrownBy(() -> publish(topic, "k", "x".repeat(size)))
          .isInstanceOfSatisfying(
              KafkaException.class, refused -> assertThat(refused.isTooLarge()).isTrue())
          .hasMessageContaining(topic);
    }
    assertThat(publish(topic, "k", "x".repeat(1_000_000)).offset()).isZero();
  }

  @Test
  void aTopicThatIsNotThereIsNamed() {
    try (var publisher = impatient(kafka.config())) {
      assertThatThrownBy(() -> publisher.publish(outgoing("nowhere", "k", "v")))
          .isInstanceOfSatisfying(
              KafkaException.class, refused -> assertThat(refused.isTooLarge()).isFalse())
          .hasMessageContaining("nowhere");
    }
  }

  @Test
  void publishingToNobodyFailsInTime() throws Exception { // F06
    try (var publisher = impatient(nobody())) {
      var began = System.nanoTime();

      assertThatThrownBy(() -> publisher.publish(outgoing("t", "k", "v")))
          .isInstanceOf(KafkaException.class)
          .hasMessageContaining("a record for topic t was not published");
      assertThat(publisher.send(outgoing("t", "k", "v")))
          .failsWithin(Duration.ofSeconds(5))
          .withThrowableThat()
          .withCauseInstanceOf(KafkaException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void aClosedPublisherSaysSo() {
    var publisher = new KafkaPublisher(kafka.config(), "closed");
    publisher.close();

    assertThatThrownBy(() -> publisher.publish(outgoing("t", "k", "v")))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void aConsumerOfNobodyIsUnwellAndStops() throws Exception {
    var consumer =
        new KeyedConsumer(
            new KafkaConfig("no-such-host.invalid:1", 1),
            TestKafka.settings("nobody", "t"),
            _ -> Settlement.DONE,
            kafka.publisher(),
            InstantSource.system(),
            new SimpleMeterRegistry());
    consumer.start();
    await().until(() -> !consumer.isHealthy());
    assertThat(consumer.describe()).isNotEmpty();
    var began = System.nanoTime();

    consumer.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
    assertThat(consumer.describe()).isNotEmpty();
  }

  @Test
  void pinsAGroupOnceAndReadsAddedPartitionsFromTheirBeginning() throws Exception { // F01
    var topic = kafka.topic(1);
    publish(topic, "k", "before");
    try (var topics = new TopicProvisioner(kafka.config());
        var admin = Admin.create(Map.of("bootstrap.servers", kafka.config().bootstrap()))) {
      topics.pin("pins", List.of(topic));
      assertThat(offsets(admin, "pins")).containsExactly(Map.entry(0, 1L));

      admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(2))).all().get();
      await().until(() -> new PublishedRecordFinder(kafka.config()).endOffsets(topic).size() == 2);
      kafka.publisher().publish(outgoing(topic, "k", "after"));
      topics.pin("pins", List.of(topic));
      assertThat(offsets(admin, "pins")).containsOnly(Map.entry(0, 1L), Map.entry(1, 0L));

      topics.pin("from-the-start", List.of(topic), StartAt.EARLIEST);
      assertThat(offsets(admin, "from-the-start")).containsOnly(Map.entry(0, 0L), Map.entry(1, 0L));
    }
  }

  private static Map<Integer, Long> offsets(Admin admin, String group) throws Exception {
    var found = new HashMap<Integer, Long>();
    admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach((id, offset) -> found.put(id.partition(), offset.offset()));
    return found;
  }

  @Test
  void findsARecordThatWasWrittenSince() { // F04
    var topic = kafka.topic(3);
    publish(topic, "old", "v");
    try (var lookback = new PublishedRecordFinder(kafka.config())) {
      var noted = lookback.endOffsets(topic);
      assertThat(noted.values().stream().mapToLong(i -> i).sum()).isEqualTo(1);
      assertThat(lookback.contains(topic, bytes("new"), noted)).isFalse();

      for (int i = 0; i < 500; i++)
        kafka.publisher().send(outgoing(topic, "other" + i, "v")).join();
      publish(topic, "new", "v");

      assertThat(lookback.contains(topic, bytes("new"), noted)).isTrue();
      assertThat(lookback.contains(topic, bytes("old"), noted)).isFalse();
      assertThat(lookback.contains(topic, bytes("old"), Map.of())).isTrue();
    }
  }

  @Test
  void neverFindsWhatWasTakenBack() { // F11
    var topic = kafka.topic(1);
    try (var lookback = new PublishedRecordFinder(kafka.config());
        var producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.config().bootstrap(), "transactional.id", topic),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      var noted = lookback.endOffsets(topic);
      producer.initTransactions();
      producer.beginTransaction();
      var _ = producer.send(new ProducerRecord<>(topic, bytes("aborted"), bytes("v")));
      producer.abortTransaction();
      producer.beginTransaction();
      var _ = producer.send(new ProducerRecord<>(topic, bytes("kept"), bytes("v")));
      producer.commitTransaction();

      assertThat(lookback.contains(topic, bytes("kept"), noted)).isTrue();
      assertThat(lookback.contains(topic, bytes("aborted"), noted)).isFalse();
    }
  }

  private PublishedRecord publish(String topic, String key, String value) {
    return kafka.publisher().publish(outgoing(topic, key, value));
  }

  private static OutgoingRecord outgoing(String topic, String key, String value) {
    return new OutgoingRecord(topic, bytes(key), List.of(), bytes(value));
  }

  private static KafkaPublisher impatient(KafkaConfig config) {
    return new KafkaPublisher(config, "impatient", Duration.ofMillis(500), Duration.ofSeconds(1));
  }

  private static KafkaConfig nobody() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new KafkaConfig("127.0.0.1:" + socket.getLocalPort(), 1);
    }
  }
}

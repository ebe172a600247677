package io.tidemill.kafka.consumer;

import static io.tidemill.support.TestKafka.bytes;
import static io.tidemill.support.TestKafka.key;
import static io.tidemill.support.TestKafka.settings;
import static io.tidemill.support.TestKafka.value;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.kafka.KafkaClients;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.StartAt;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.kafka.inspect.ClusterInspector;
import io.tidemill.kafka.inspect.ClusterInspector.GroupState;
import io.tidemill.kafka.inspect.ClusterInspector.TopicState;
import io.tidemill.kafka.inspect.DeadTopicReader;
import io.tidemill.kafka.inspect.GroupInspector;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.kafka.inspect.TopicFollower;
import io.tidemill.kafka.inspect.TopicInspector;
import io.tidemill.support.TestKafka;
import io.tidemill.work.Settlement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Order, parallelism, retries, dead letters and commits, against a real broker (C2.5, C2.6).
class KeyedConsumerIT {
  private static final Duration LONG = Duration.ofMinutes(1);
  private final TestKafka kafka = TestKafka.shared();

  @AfterEach
  void stopConsumers() {
    kafka.stopConsumers();
  }

  @Test
  void handlesEveryKeyInOrder() {
    var topic = kafka.topic(3);
    kafka.publishAll(topic, 1_000, 20);
    var seen = new HandledJournal();

    kafka.consume(
        settings("order", topic).withInFlight(256),
        attempt -> {
          if (ThreadLocalRandom.current().nextInt(4) == 0) {
            Thread.sleep(ThreadLocalRandom.current().nextInt(10));
          }
          return seen.add(attempt);
        });

    seen.awaitCount(20_000);
    seen.assertInOrder(1_000, 20);
    awaitLag("order", topic, 0);
  }

  @Test
  void aSlowKeyDoesNotHoldUpItsNeighbours() {
    var topic = kafka.topic(1);
    kafka.publish(topic, "slow", "0");
    kafka.publishAll(topic, 50, 10);
    kafka.publish(topic, "slow", "1");
    var seen = new HandledJournal();
    var release = new CountDownLatch(1);

    kafka.consume(
        settings("slow", topic),
        attempt -> {
          if (key(attempt.record()).equals("slow")) release.await();
          return seen.add(attempt);
        });

    seen.awaitCount(500);
    assertThat(seen.of("slow")).isEmpty();
    assertThat(committed("slow", topic)).isLessThanOrEqualTo(0); // F02: the slow one is not done
    release.countDown();
    await().atMost(LONG).until(() -> seen.of("slow"), List.of("0", "1")::equals);
    awaitLag("slow", topic, 0);
  }

  @Test
  void whatFailsIsTriedAgainAndHoldsUpItsOwnKeyOnly() {
    var topic = kafka.topic(1);
    kafka.publishAll(topic, 3, 3);
    var seen = new HandledJournal();
    var failures = new AtomicInteger();

    kafka.consume(
        settings("retry", topic),
        attempt -> {
          var fails = key(attempt.record()).equals("k1") && attempt.number() < 3;
          if (fails && failures.incrementAndGet() % 2 == 0) throw new IllegalStateException("no");
          if (fails) return new Settlement.Retry(Duration.ofMillis(30), "not yet");
          return seen.add(attempt);
        });

    seen.awaitCount(9);
    seen.assertInOrder(3, 3);
    assertThat(failures).hasValue(6);
  }

  @Test
  void aNewGroupBeginsWhereItsPredecessorStands() { // C1.2: an upgrade loses and repeats nothing
    var topic = kafka.topic(3);
    kafka.publishAll(topic, 30, 2);
    var old = new HandledJournal();
    var before = kafka.consume(settings("old-group", topic), old::add);
    old.awaitCount(60);
    awaitLag("old-group", topic, 0);
    before.stop();
    for (int i = 0; i < 30; i++) kafka.publish(topic, "unread" + i, "x");

    var seen = new HandledJournal();
    kafka.consume(settings("new-group", topic).withPredecessor("old-group"), seen::add);

    seen.awaitCount(30);
    awaitLag("new-group", topic, 0);
    assertThat(seen.of("k0")).isEmpty();
    for (int i = 0; i < 30; i++) assertThat(seen.of("unread" + i)).containsExactly("x");
  }

  @Test
  void usesTheNameThatAGroupHasOnTheBroker() { // G6
    var topic = kafka.topic(1);
    kafka.publishAll(topic, 3, 2);
    var seen = new HandledJournal();
    var renamed = kafka.config().withGroup("contract-group", "acme-group");
    var consumer =
        new KeyedConsumer(
            renamed,
            settings("contract-group", topic),
            seen::add,
            kafka.publisher(),
            InstantSource.system(),
            new SimpleMeterRegistry());
    consumer.start();
    try (var inspector = new ClusterInspector(renamed, List.of(topic), List.of("contract-group"))) {
      seen.awaitCount(6);
      awaitLag("acme-group", topic, 0);
      assertThat(committed("contract-group", topic)).isLessThanOrEqualTo(0);
      await()
          .atMost(LONG)
          .untilAsserted(() ->
              assertThat(inspector.cluster().groups().get(topic))
                  .containsExactly(new ClusterInspector.GroupState("contract-group", 0, 1)));
    } finally {
      consumer.stop();
    }
  }

  @Test
  void usesTheNamesThatTopicsHaveOnTheBroker() throws Exception { // G6
    var real = kafka.topic(1);
    var renamed = kafka.config().withTopics(List.of("contract=" + real));
    provision("contract"); // somebody else's, who has the contract's names
    kafka.publishAll("contract", 5, 1);
    var seen = new HandledJournal();
    try (var publisher = new KafkaPublisher(renamed, "renamed");
        var letters = new DeadTopicReader(renamed);
        var finder = new PublishedRecordFinder(renamed);
        var follower =
            new TopicFollower(renamed, "follower", List.of("contract"), Map.of(), 1_000)) {
      kafka.publish(real, "stranger", "0");
      var placed = publisher.publish(new OutgoingRecord("contract", bytes("k"), List.of(), null));
      var consumer =
          new KeyedConsumer(
              renamed,
              settings("renamed", "contract"),
              attempt -> {
                assertThat(attempt.record().topic()).isEqualTo("contract");
                return key(attempt.record()).equals("k")
                    ? new Settlement.DeadLetter("no value")
                    : seen.add(attempt);
              },
              publisher,
              InstantSource.system(),
              new SimpleMeterRegistry());
      consumer.start();
      try {
        await().atMost(LONG).until(() -> letters.count("contract") == 1);
        seen.awaitCount(1);
        awaitLag("renamed", real, 0);
      } finally {
        consumer.stop();
      }

      assertThat(placed.topic()).isEqualTo("contract");
      var dead = letters.newest("contract", Map.of(), 10).letters().getFirst();
      assertThat(dead.topic()).isEqualTo("contract");
      assertThat(dead.original().topic()).isEqualTo("contract");
      assertThat(finder.contains("contract", bytes("k"), Map.of())).isTrue();
      assertThat(finder.since("contract", 0, 0, Instant.EPOCH, _ -> true))
          .extracting(KafkaRecord::topic)
          .containsExactly("contract", "contract");
      await()
          .atMost(LONG)
          .until(() -> follower.poll(Duration.ofSeconds(1)), records -> !records.isEmpty());
      assertThat(follower.positions()).containsEntry(new TopicFollower.Place("contract", 0), 2L);
      assertProgress(renamed);
      assertThat(topics()).contains(real + ".dead").doesNotContain("contract.dead");
    }
  }

  private void provision(String topic) throws InterruptedException {
    try (var topics = new TopicProvisioner(kafka.config())) {
      topics.provision(List.of(new TopicProvisioner.Wanted(topic, 1, Duration.ofDays(1))));
    }
  }

  private static void assertProgress(KafkaConfig renamed) {
    var subscription = new GroupInspector.Subscription("contract", "renamed");
    try (var groups = new GroupInspector(renamed, List.of(subscription));
        var cluster = new ClusterInspector(renamed, List.of("contract"), List.of("renamed"));
        var records = new TopicInspector(renamed)) {
      var progress = requireNonNull(groups.progress().get(subscription));
      assertThat(progress.end()).isEqualTo(2);
      assertThat(progress.lag()).isZero();
      assertThat(cluster.cluster().topics())
          .extracting(TopicState::name)
          .containsExactly("contract");
      assertThat(cluster.cluster().topics().getFirst().messages()).isEqualTo(2);
      assertThat(cluster.cluster().groups().get("contract"))
          .extracting(GroupState::lag)
          .containsExactly(0L);
      assertThat(records.newest("contract", null, 10))
          .extracting(KafkaRecord::topic)
          .containsOnly("contract");
    }
  }

  private Set<String> topics() throws Exception {
    try (var admin = KafkaClients.admin(kafka.config(), LONG, "renamed-topics")) {
      return admin.listTopics().names().get();
    }
  }

  @Test
  void sharesItsGroupWithKafkaJs() throws Exception { // C2.5
    var installed = Path.of("..", "target", "kafka").toAbsolutePath().normalize();
    assumeTrue(Files.exists(installed.resolve("node_modules/kafkajs")), "no kafkajs of npm");
    var topic = kafka.topic(2);
    var ours = ConcurrentHashMap.<String>newKeySet();
    var theirs = ConcurrentHashMap.<String>newKeySet();
    kafka.consume(
        settings("kafkajs", topic),
        attempt -> {
          ours.add(key(attempt.record()));
          return new Settlement.Done();
        });
    var member =
        new ProcessBuilder(
                "node",
                "src/test/kafka/member.mjs",
                kafka.config().bootstrap(),
                "kafkajs",
                topic,
                installed.toString())
            .redirectErrorStream(true)
            .start();
    try (var lines = member.inputReader()) {
      Thread.startVirtualThread(() -> lines.lines().forEach(line -> note(line, theirs)));

      var ids = new AtomicInteger();
      await()
          .atMost(LONG)
          .until(() -> {
            kafka.publish(topic, "k" + ids.incrementAndGet(), "x");
            return !theirs.isEmpty() && !ours.isEmpty();
          });
      member.destroyForcibly();
      for (int i = 0; i < 20; i++) kafka.publish(topic, "k" + ids.incrementAndGet(), "x");

      await()
          .atMost(LONG)
          .until(() ->
              IntStream.rangeClosed(1, ids.get())
                  .mapToObj(i -> "k" + i)
                  .allMatch(key -> ours.contains(key) || theirs.contains(key)));
    } finally {
      member.destroyForcibly();
    }
  }

  private static void note(String line, Set<String> keys) {
    if (line.startsWith("got ")) keys.add(line.split(" ", -1)[1]);
  }

  @Test
  void sharesItsGroupWithProgramsOfAnotherMake() throws Exception { // C2.5
    var topic = kafka.topic(2);
    var theirs = ConcurrentHashMap.<String>newKeySet();
    var stop = new CountDownLatch(1);
    var stranger = Thread.ofPlatform().start(() -> read(topic, theirs, stop));
    var seen = new HandledJournal();
    kafka.consume(settings("shared", topic), seen::add);

    var ids = new AtomicInteger();
    await()
        .atMost(LONG)
        .until(() -> {
          kafka.publish(topic, "k" + ids.incrementAndGet(), "x");
          return !theirs.isEmpty() && seen.count() > 0;
        });
    await().atMost(LONG).until(() -> theirs.size() + seen.count() >= ids.get());
    stop.countDown();
    stranger.join();
  }

  // As clients in other languages do by default.
  private void read(String topic, Set<String> keys, CountDownLatch stop) {
    var settings =
        Map.<String, Object>of(
            "bootstrap.servers",
            kafka.config().bootstrap(),
            "group.id",
            "shared",
            "auto.offset.reset",
            "earliest",
            "partition.assignment.strategy",
            RangeAssignor.class.getName());
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(topic));
      while (stop.getCount() > 0) {
        consumer.poll(Duration.ofMillis(50)).forEach(record -> keys.add(record.key()));
      }
    }
  }

  @Test
  void whatAsksForNothingIsFinishedUnhandled() {
    var topic = kafka.topic(1);
    kafka.publishAll(topic, 2, 500);
    var seen = new HandledJournal();
    var handler =
        new RecordHandler() {
          @Override
          public boolean isIdle(KafkaRecord record) {
            return key(record).equals("k1");
          }

          @Override
          public Settlement handle(RecordAttempt attempt) {
            return seen.add(attempt);
          }
        };

    kafka.consume(settings("idle", topic), handler);

    seen.awaitCount(500);
    assertThat(seen.of("k1")).isEmpty();
    awaitLag("idle", topic, 0);
  }

  @Test
  void waitingForSomethingElseIsNotCounted() {
    var topic = kafka.topic(1);
    kafka.publishAll(topic, 1, 1);
    var seen = new HandledJournal();
    var asked = new AtomicInteger();

    kafka.consume(
        settings("later", topic),
        attempt ->
            asked.incrementAndGet() < 10
                ? new Settlement.Defer(Duration.ofMillis(1), "the store is down")
                : seen.add(attempt));

    seen.awaitCount(1);
    assertThat(asked).hasValue(10);
  }

  @Test
  void aPoisonousRecordEndsAsADeadLetterWhileTheOthersFlow() { // F09
    var topic = kafka.topic(1);
    var header = new KafkaHeader("id", new byte[] {0, (byte) 0xff});
    kafka.publish(topic, "poison", "\u0000 bytes", header, KafkaHeader.of("dead-reason", "old"));
    kafka.publishAll(topic, 100, 5);
    var seen = new HandledJournal();
    var metrics = new SimpleMeterRegistry();

    kafka.consume(
        settings("poison", topic),
        attempt -> {
          if (key(attempt.record()).equals("poison")) throw new IllegalStateException("boom");
          return seen.add(attempt);
        },
        metrics);

    seen.awaitCount(500);
    var letter = deadLetter(topic);
    assertThat(key(letter)).isEqualTo("poison");
    assertThat(value(letter)).isEqualTo("\u0000 bytes");
    assertThat(letter.header("id")).contains(new byte[] {0, (byte) 0xff});
    assertThat(texts(letter))
        .containsEntry("dead-reason", "java.lang.IllegalStateException: boom")
        .containsEntry("dead-attempts", "3")
        .containsEntry("dead-topic", topic)
        .containsEntry("dead-partition", "0")
        .containsEntry("dead-offset", "0")
        .hasEntrySatisfying("dead-at", at -> assertThat(at).matches("\\d{4}-.*\\.\\d{3}Z"))
        .hasEntrySatisfying("dead-stack", at -> assertThat(at).contains("KeyedConsumerIT"));
    assertThat(letter.headers().stream().filter(h -> h.name().equals("dead-reason"))).hasSize(1);
    awaitLag("poison", topic, 0);
    assertThat(count(metrics, "dead")).isEqualTo(1);
    assertThat(count(metrics, "retry")).isEqualTo(2);
    assertThat(count(metrics, "done")).isEqualTo(500);
  }

  @Test
  void everyGroupPublishesItsOwnReasonForADeadRecord() {
    var topic = kafka.topic(1);
    kafka.publish(topic, "k", "x");

    for (var group : List.of("one", "two")) {
      kafka.consume(settings(group, topic), _ -> new Settlement.DeadLetter("says " + group));
      awaitLag(group, topic, 0);
    }

    assertThat(ReadingConsumer.read(kafka.config(), DeadRecordPublisher.topic(topic), 2, LONG))
        .extracting(letter -> texts(letter).get("dead-reason"))
        .containsExactly("says one", "says two");
  }

  @Test
  void aRecordThatIsDeadAtOnceIsNotTriedAgain() {
    var topic = kafka.topic(1);
    kafka.publish(topic, null, "x".repeat(1_000_000)); // with its headers larger than most topics
    var asked = new AtomicInteger();

    kafka.consume(
        settings("dead", topic),
        attempt -> {
          asked.incrementAndGet();
          return new Settlement.DeadLetter("r".repeat(5_000));
        });

    assertThat(texts(deadLetter(topic)).get("dead-reason")).hasSize(1_001);
    assertThat(asked).hasValue(1);
  }

  @Test
  void runsNoMoreAtOnceAndHoldsNoMoreThanItMay() {
    var topic = kafka.topic(3);
    kafka.publishAll(topic, 4_000, 5);
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var done = new AtomicInteger();
    var gate = new CountDownLatch(1);
    var settings =
        settings("bounded", topic)
            .withLimits(new KeyedSettings.Limits(16, 300, 1 << 20, Duration.ofSeconds(2)));

    var consumer =
        kafka.consume(
            settings,
            _ -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              gate.await();
              running.decrementAndGet();
              done.incrementAndGet();
              return Settlement.DONE;
            });

    await().atMost(LONG).until(running::get, now -> now == 16);
    // The broker has 20,000 for us; what we took is a screenful.
    await().atMost(LONG).until(consumer::held, held -> held >= 180);
    await().during(Duration.ofMillis(700)).until(consumer::held, held -> held <= 300);
    gate.countDown();
    await().atMost(LONG).until(done::get, all -> all == 20_000);
    assertThat(most).hasValueLessThanOrEqualTo(16);
  }

  @Test
  void higherPriorityStartsFirstWhenThereIsNoRoomForAll() {
    var topic = kafka.topic(1);
    kafka.publish(topic, "first", "first");
    var seen = new HandledJournal();
    var gate = new CountDownLatch(1);
    var handler =
        new RecordHandler() {
          @Override
          public Settlement handle(RecordAttempt attempt) throws Exception {
            gate.await();
            return seen.add(attempt);
          }

          @Override
          public int priority(KafkaRecord record) {
            return value(record).equals("high") ? 1 : 0;
          }
        };

    var consumer = kafka.consume(settings("priority", topic).withInFlight(1), handler);
    await().atMost(LONG).until(consumer::held, held -> held == 1);
    IntStream.range(0, 20).forEach(i -> kafka.publish(topic, "low" + i, "low"));
    kafka.publish(topic, "high", "high");
    await().atMost(LONG).until(consumer::held, held -> held == 22);
    gate.countDown();

    seen.awaitCount(22);
    assertThat(seen.order()).startsWith("first", "high").endsWith("low19");
  }

  @Test
  void readsWhatWasThereBeforeTheGroup() { // F01
    var topic = kafka.topic(2);
    kafka.publishAll(topic, 100, 10);
    var seen = new HandledJournal();

    kafka.consume(settings("earliest", topic), seen::add);

    seen.awaitCount(1_000);
  }

  @Test
  void startsWhereItWasPinnedAndMissesNothingAfterThat() throws Exception { // C2.5
    var topic = kafka.topic(2);
    kafka.publish(topic, "before", "0");
    try (var topics = new TopicProvisioner(kafka.config())) {
      topics.pin("pinned", List.of(topic));
      kafka.publishAll(topic, 20, 5);
      topics.pin("pinned", List.of(topic)); // at the next start: nothing moves
    }
    var seen = new HandledJournal();

    kafka.consume(settings("pinned", topic).withStartAt(StartAt.LATEST), seen::add);

    seen.awaitCount(100);
    assertThat(seen.of("before")).isEmpty();
  }

  @Test
  void aStoppedConsumerGoesOnWhereItWas() {
    var topic = kafka.topic(3);
    var runs = new ConcurrentHashMap<String, Integer>();
    var settings = settings("again", topic);
    RecordHandler handler =
        attempt -> {
          runs.merge(key(attempt.record()) + "/" + value(attempt.record()), 1, Integer::sum);
          return Settlement.DONE;
        };
    var first = kafka.consume(settings, handler);
    kafka.publishAll(topic, 50, 10);
    await().atMost(LONG).until(runs::size, size -> size > 100);
    first.stop();
    kafka.publishAll(topic, 50, 1);

    kafka.consume(settings, handler);

    awaitLag("again", topic, 0);
    await().atMost(LONG).until(runs::size, size -> size == 500);
    // The same again under the same names; a stop in between repeats nothing.
    assertThat(runs.values().stream().mapToInt(i -> i).sum()).isEqualTo(550);
  }

  @Test
  void aRecordThatHoldsBackTheCommitDoesNotMakeTheRestRunAgain() {
    var topic = kafka.topic(1);
    kafka.publish(topic, "stuck", "0");
    kafka.publishAll(topic, 40, 10);
    var settings = settings("gap", topic);
    var seen = new HandledJournal();
    var never = new CountDownLatch(1);
    var first =
        kafka.consume(
            settings.withLimits(
                new KeyedSettings.Limits(64, 4_096, 1 << 25, Duration.ofMillis(200))),
            attempt -> {
              if (key(attempt.record()).equals("stuck")) never.await();
              return seen.add(attempt);
            });
    seen.awaitCount(400);
    first.stop();
    assertThat(committed("gap", topic)).isZero();

    kafka.consume(settings, seen::add);

    await().atMost(LONG).until(() -> seen.of("stuck"), List.of("0")::equals);
    awaitLag("gap", topic, 0);
    assertThat(seen.order()).hasSize(401);
  }

  @Test
  void stopEndsSoonWithAHandlerThatIsStuck() {
    var topic = kafka.topic(1);
    kafka.publish(topic, "k", "0");
    var interrupted = new CountDownLatch(1);
    var started = new CountDownLatch(1);
    var consumer =
        kafka.consume(
            settings("stop", topic)
                .withLimits(new KeyedSettings.Limits(1, 10, 1000, Duration.ofMillis(300))),
            attempt -> {
              started.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException stop) {
                assertThat(attempt.isOurs()).isFalse();
                interrupted.countDown();
              }
              return Settlement.DONE;
            });
    await().atMost(LONG).until(started::getCount, left -> left == 0);
    var began = System.nanoTime();

    consumer.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(4));
    assertThat(interrupted.getCount()).isZero();
    assertThat(committed("stop", topic)).isLessThanOrEqualTo(0); // it was not finished
  }

  @Test
  void tellsItsLagAndItsHealth() {
    var topic = kafka.topic(1);
    kafka.publishAll(topic, 10, 10);
    var metrics = new SimpleMeterRegistry();
    var gate = new CountDownLatch(1);
    var consumer =
        kafka.consume(
            settings("lag", topic).withInFlight(4),
            _ -> {
              gate.await();
              return Settlement.DONE;
            },
            metrics);

    await().atMost(LONG).until(() -> lag(metrics), lag -> lag == 100);
    assertThat(consumer.isHealthy()).isTrue();
    assertThat(consumer.describe()).isEqualTo("1 partition(s), 4 in flight");
    gate.countDown();
    await().atMost(LONG).until(() -> lag(metrics), lag -> lag == 0);
    consumer.stop();
    assertThat(consumer.isHealthy()).isFalse();
    assertThat(metrics.find("kafka.consumer.lag").gauge()).isNull();
  }

  private static double lag(SimpleMeterRegistry metrics) {
    var gauge = metrics.find("kafka.consumer.lag").gauge();
    return gauge == null ? -1 : gauge.value();
  }

  private static double count(SimpleMeterRegistry metrics, String outcome) {
    return metrics.get("kafka.consumer.handled").tag("outcome", outcome).counter().count();
  }

  private KafkaRecord deadLetter(String topic) {
    return ReadingConsumer.read(kafka.config(), DeadRecordPublisher.topic(topic), 1, LONG)
        .getFirst();
  }

  private static Map<String, String> texts(KafkaRecord record) {
    var texts = new java.util.HashMap<String, String>();
    for (var header : record.headers()) {
      texts.put(header.name(), new String(header.value(), java.nio.charset.StandardCharsets.UTF_8));
    }
    return texts;
  }

  private long committed(String group, String topic) {
    return ReadingConsumer.committed(kafka.config(), group, topic);
  }

  private void awaitLag(String group, String topic, long lag) {
    await()
        .atMost(LONG)
        .until(() -> ReadingConsumer.lag(kafka.config(), group, topic), l -> l == lag);
  }
}

package io.tidemill.kafka.consumer;

import static io.tidemill.support.TestKafka.key;
import static io.tidemill.support.TestKafka.settings;
import static io.tidemill.support.TestKafka.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.kafka.KafkaRecord;
import io.tidemill.support.ChildJvm;
import io.tidemill.support.KafkaConsumerMain;
import io.tidemill.support.TestKafka;
import io.tidemill.work.Settlement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Consumers killed, put to sleep, joining and leaving, and a broker that goes away (F02, F03).
class KafkaCrashIT {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static TestKafka kafka;
  @TempDir Path folder;

  @BeforeAll
  static void start() {
    kafka = new TestKafka();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @AfterEach
  void stopConsumers() {
    kafka.stopConsumers();
  }

  @Test
  void nothingIsLostWhenAConsumerIsKilledWith64InFlight() { // F02
    var topic = kafka.topic(3);
    kafka.publishAll(topic, 400, 30);
    var file = folder.resolve("killed");
    try (var child = child(topic, "killed", file, 60, 3_000, 100)) {
      await().atMost(LONG).until(() -> lines(file, "done").size(), done -> done > 3_000);
      child.kill();
    }
    var before = lines(file, "done");
    var begun = lines(file, "start");
    begun.removeAll(before);
    assertThat(begun).hasSizeBetween(32, 64); // were in flight
    var seen = new HandledJournal();

    kafka.consume(settings("killed", topic), seen::add);

    await()
        .atMost(LONG)
        .until(() -> ReadingConsumer.lag(kafka.config(), "killed", topic), lag -> lag == 0);
    var after = new HashSet<String>();
    for (int k = 0; k < 400; k++) {
      for (var value : seen.of("k" + k)) after.add("k" + k + " " + value);
      assertRising(seen.of("k" + k));
    }
    assertThat(seen.count()).isEqualTo(after.size());
    var again = new HashSet<>(before);
    again.retainAll(after);
    var all = new HashSet<>(before);
    all.addAll(after);
    assertThat(all).hasSize(12_000);
    assertThat(after).containsAll(begun);
    // Only what was finished after the last commit runs again, not all behind the slowest record.
    assertThat(again).hasSizeLessThan(before.size() / 2);
  }

  @Test
  void aRecordThatWasDeadBeforeTheCrashHasOneDeadLetter() {
    var topic = kafka.topic(2);
    for (int i = 0; i < 20; i++) kafka.publish(topic, "k" + i, KafkaConsumerMain.BROKEN);
    try (var child = child(topic, "dead", folder.resolve("dead"), 60, 1_000, 3_600_000)) {
      deadLetters(topic, 20);
      child.kill(); // between the copies and the commit
    }
    kafka.publish(topic, "k20", KafkaConsumerMain.BROKEN);
    var handled = new AtomicInteger();

    kafka.consume(
        settings("dead", topic),
        _ -> {
          handled.incrementAndGet();
          return new Settlement.DeadLetter(KafkaConsumerMain.BROKEN);
        });

    await()
        .atMost(LONG)
        .until(() -> ReadingConsumer.lag(kafka.config(), "dead", topic), lag -> lag == 0);
    assertThat(handled).hasValue(21);
    assertThat(ReadingConsumer.lag(kafka.config(), "any", DeadRecordPublisher.topic(topic)))
        .isEqualTo(21);
    assertThat(deadLetters(topic, 21)).extracting(TestKafka::key).doesNotHaveDuplicates();
  }

  private static List<KafkaRecord> deadLetters(String topic, int count) {
    return ReadingConsumer.read(kafka.config(), DeadRecordPublisher.topic(topic), count, LONG);
  }

  @Test
  void anOwnerThatSleptThroughItsSessionLearnsThatItIsReplaced() throws Exception { // F03
    var topic = kafka.topic(1);
    kafka.publishAll(topic, 3, 1);
    var file = folder.resolve("slept");
    try (var child = child(topic, "slept", file, 10_000, 1_000, 100)) {
      await().atMost(LONG).until(() -> lines(file, "start").size(), begun -> begun == 3);
      child.signal("STOP");
      var seen = new HandledJournal();
      kafka.consume(settings("slept", topic), seen::add);
      seen.awaitCount(3); // the other one has taken over

      child.signal("CONT");

      await().atMost(LONG).until(() -> lines(file, "fenced").size(), fenced -> fenced == 3);
      assertThat(lines(file, "done")).isEmpty();
      kafka.publishAll(topic, 3, 1);
      await()
          .atMost(LONG)
          .until(() -> ReadingConsumer.lag(kafka.config(), "slept", topic), lag -> lag == 0);
    }
  }

  @Test
  void consumersThatComeAndGoLoseNothingAndKeepTheOrder() {
    var topic = kafka.topic(6);
    var seen = new HandledJournal();
    var busy = ConcurrentHashMap.<String>newKeySet();
    var clashes = new AtomicInteger();
    RecordHandler handler =
        attempt -> {
          if (!busy.add(key(attempt.record()))) clashes.incrementAndGet();
          Thread.sleep(ThreadLocalRandom.current().nextInt(8));
          var _ = seen.add(attempt);
          busy.remove(key(attempt.record()));
          return Settlement.DONE;
        };
    var settings = settings("come-and-go", topic).withInFlight(16);
    kafka.publishAll(topic, 300, 20);

    var first = kafka.consume(settings, handler);
    await().atMost(LONG).until(seen::count, count -> count > 500);
    var second = kafka.consume(settings, handler);
    await().atMost(LONG).until(second::describe, text -> text.startsWith("3 "));
    first.stop();
    kafka.consume(settings, handler);
    await().atMost(LONG).until(second::describe, text -> text.startsWith("3 "));
    second.stop();

    await()
        .atMost(LONG)
        .until(() -> ReadingConsumer.lag(kafka.config(), "come-and-go", topic), lag -> lag == 0);
    seen.assertFirstsInOrder(300, 20);
    // Whoever leaves finishes and commits first; a commit that meets a rebalance can be refused,
    // and then the next owner does that much again (G4).
    assertThat(seen.count()).isLessThan(6_000 + 600);
    assertThat(clashes).hasValue(0);
  }

  @Test
  void aBrokerThatIsNotThereIsWaitedForAndOneThatRestartsLosesNothing() {
    var topic = kafka.topic(3);
    kafka.publishAll(topic, 20, 5);
    kafka.stopBroker();
    var seen = ConcurrentHashMap.<String>newKeySet();
    // The wait is longer than the session: that must not count against the first membership.
    var shortSession =
        new KeyedSettings.Membership(
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            Duration.ofMinutes(5),
            Duration.ofMillis(100));
    var consumer =
        kafka.consume(
            settings("restart", topic).withMembership(shortSession),
            attempt -> {
              seen.add(key(attempt.record()) + " " + value(attempt.record()));
              return Settlement.DONE;
            });
    kafka.startBroker();
    await().atMost(LONG).until(seen::size, size -> size == 100);

    kafka.stopBroker();
    var publishing =
        Thread.startVirtualThread(
            () -> await().ignoreExceptions().untilAsserted(() -> kafka.publishAll(topic, 20, 50)));
    kafka.startBroker();

    await().atMost(LONG).until(seen::size, size -> size == 1_000);
    await()
        .atMost(LONG)
        .until(() -> ReadingConsumer.lag(kafka.config(), "restart", topic), l -> l == 0);
    await().until(consumer::isHealthy);
    await().until(() -> !publishing.isAlive());
  }

  private static void assertRising(List<String> values) {
    for (int i = 1; i < values.size(); i++) {
      assertThat(Integer.parseInt(values.get(i)))
          .isEqualTo(Integer.parseInt(values.get(i - 1)) + 1);
    }
  }

  private static ChildJvm child(
      String topic, String group, Path file, int most, int session, int commitInterval) {
    var child =
        new ChildJvm(
            KafkaConsumerMain.class,
            kafka.config().bootstrap(),
            topic,
            group,
            file.toString(),
            String.valueOf(most),
            String.valueOf(session),
            String.valueOf(commitInterval));
    child.awaitReady();
    return child;
  }

  private static Set<String> lines(Path file, String what) {
    try {
      if (!Files.exists(file)) return new HashSet<>();
      var found = new HashSet<String>();
      for (var line : Files.readAllLines(file)) {
        if (line.startsWith(what + " ")) found.add(line.substring(what.length() + 1));
      }
      return found;
    } catch (IOException unreadable) {
      throw new java.io.UncheckedIOException(unreadable);
    }
  }
}

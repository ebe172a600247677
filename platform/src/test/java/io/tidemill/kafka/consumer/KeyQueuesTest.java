package io.tidemill.kafka.consumer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.longs;

import io.tidemill.kafka.KafkaRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// One record of a key at a time and in order; whoever can run, runs (C2.6).
class KeyQueuesTest {
  private final AssignedPartition partition = partition(0);
  private long offset;

  @Test
  void theSecondOfAKeyWaitsForTheFirst() {
    var queues = queues(4, record("a", 0), record("a", 0), record("b", 0));

    var first = started(queues);
    assertThat(key(first)).isEqualTo("a");
    assertThat(key(started(queues))).isEqualTo("b");
    assertThat(queues.start()).isNull();

    queues.finish(first);
    assertThat(key(started(queues))).isEqualTo("a");
  }

  @Test
  void recordsWithoutAKeyWaitForNobody() {
    var queues = queues(4, record(null, 0), record(null, 0));

    assertThat(queues.start()).isNotNull();
    assertThat(queues.start()).isNotNull();
  }

  @Test
  void startsNoMoreThanThereAreSlots() {
    var queues = queues(2, record("a", 0), record("b", 0), record("c", 0));

    var first = started(queues);
    assertThat(queues.start()).isNotNull();
    assertThat(queues.start()).isNull();

    queues.finish(first);
    assertThat(key(started(queues))).isEqualTo("c");
  }

  @Test
  void aPostponedRecordHoldsItsKeyAndNoSlot() {
    var queues = queues(1, record("a", 0), record("a", 0), record("b", 0));
    var failing = started(queues);

    queues.postpone();
    assertThat(key(started(queues))).isEqualTo("b");
    queues.postpone();
    assertThat(queues.start()).isNull();

    queues.resume(failing);
    assertThat(queues.start()).isSameAs(failing);
  }

  @Test
  void higherPriorityStartsFirst() {
    var queues = queues(9, record("low", 1), record("high", 3), record("middle", 2));

    assertThat(List.of(key(started(queues)), key(started(queues)), key(started(queues))))
        .containsExactly("high", "middle", "low");
  }

  @Test
  void lowPriorityIsNotStarved() {
    var queues = queues(1, record("low", 1));
    var started = new ArrayList<String>();
    for (int i = 0; i < 100; i++) {
      queues.add(record("high" + i, 3));
      var held = started(queues);
      started.add(key(held));
      queues.finish(held);
    }

    assertThat(started.indexOf("low")).isBetween(0, 8);
  }

  @Test
  void nothingOfAPartitionThatIsGoneStarts() {
    var gone = partition(1);
    var queues = queues(9, record("a", 0));
    queues.add(new HeldRecord(gone, data(gone, "x"), 0));
    queues.add(new HeldRecord(gone, data(gone, "y"), 5));
    queues.add(new HeldRecord(gone, data(gone, "y"), 5));
    var running = started(queues);

    queues.drop(gone);
    queues.finish(running);

    assertThat(key(running)).isEqualTo("y");
    assertThat(key(started(queues))).isEqualTo("a");
    assertThat(queues.start()).isNull();
  }

  @Test
  void anyMixOfStartsFinishesAndDelaysKeepsTheOrderOfEveryKey() {
    qt().withExamples(300)
        .forAll(longs().all(), integers().between(1, 8), integers().between(1, 12))
        .check(this::keepsItsPromises);
  }

  // Against a model: per key the next offset that may start, and who runs.
  private boolean keepsItsPromises(long seed, int slots, int keys) {
    var random = new Random(seed);
    var queues = new KeyQueues(slots);
    var queued = new HashMap<String, List<Long>>();
    var running = new ArrayList<HeldRecord>();
    var waiting = new ArrayList<HeldRecord>();
    var left = 300;
    while (left > 0 || queued.values().stream().anyMatch(list -> !list.isEmpty())) {
      if (left-- > 0) {
        var held = record("k" + random.nextInt(keys), random.nextInt(3));
        queues.add(held);
        queued.computeIfAbsent(key(held), _ -> new ArrayList<>()).add(held.record.offset());
      }
      for (var held = queues.start(); held != null; held = queues.start()) {
        if (first(queued, held) != held.record.offset()) return false;
        running.add(held);
      }
      if (running.size() > slots || keysOf(running) != running.size()) return false;
      if (running.isEmpty() && waiting.isEmpty() && left <= 0) return false; // stuck
      if (!running.isEmpty()) {
        var held = running.remove(random.nextInt(running.size()));
        if (random.nextInt(4) == 0) {
          queues.postpone();
          waiting.add(held);
        } else {
          queues.finish(held);
          requireNonNull(queued.get(key(held))).removeFirst();
        }
      }
      if (!waiting.isEmpty() && random.nextInt(3) == 0) {
        queues.resume(waiting.remove(random.nextInt(waiting.size())));
      }
    }
    return queues.start() == null;
  }

  private static long first(Map<String, List<Long>> queued, HeldRecord held) {
    return requireNonNull(queued.get(key(held))).getFirst();
  }

  private static int keysOf(List<HeldRecord> running) {
    var keys = new HashSet<String>();
    running.forEach(held -> keys.add(key(held)));
    return keys.size();
  }

  private static HeldRecord started(KeyQueues queues) {
    return requireNonNull(queues.start());
  }

  private static KeyQueues queues(int slots, HeldRecord... records) {
    var queues = new KeyQueues(slots);
    for (var held : records) queues.add(held);
    return queues;
  }

  private HeldRecord record(@Nullable String key, int priority) {
    return new HeldRecord(partition, data(partition, key), priority);
  }

  private KafkaRecord data(AssignedPartition partition, @Nullable String key) {
    var bytes = key == null ? null : key.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return new KafkaRecord(
        "t", partition.id.partition(), offset++, bytes, List.of(), new byte[0], 0);
  }

  private static AssignedPartition partition(int number) {
    return new AssignedPartition(new TopicPartition("t", number), null);
  }

  private static String key(HeldRecord held) {
    return new String(requireNonNull(held.record.key()), java.nio.charset.StandardCharsets.UTF_8);
  }
}

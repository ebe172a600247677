package io.tidemill.kafka.consumer;

import static io.tidemill.support.TestKafka.key;
import static io.tidemill.support.TestKafka.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/// What handlers saw, in order.
final class HandledJournal {
  private final List<String> order = new ArrayList<>();
  private final Map<String, List<String>> byKey = new ConcurrentHashMap<>();

  /// A handler that is done with everything.
  synchronized Settlement add(RecordAttempt attempt) {
    order.add(key(attempt.record()));
    byKey
        .computeIfAbsent(key(attempt.record()), _ -> new ArrayList<>())
        .add(value(attempt.record()));
    return Settlement.DONE;
  }

  synchronized List<String> of(String key) {
    return List.copyOf(byKey.getOrDefault(key, List.of()));
  }

  /// The keys of all records.
  synchronized List<String> order() {
    return List.copyOf(order);
  }

  synchronized int count() {
    return order.size();
  }

  void awaitCount(int count) {
    await("records").atMost(Duration.ofSeconds(60)).until(this::count, now -> now == count);
  }

  /// Every key `k0`, `k1`… saw exactly `0`, `1`… one after the other.
  void assertInOrder(int keys, int n) {
    var wanted = IntStream.range(0, n).mapToObj(String::valueOf).toList();
    for (int key = 0; key < keys; key++) assertThat(of("k" + key)).isEqualTo(wanted);
  }

  /// The same, but for repeats.
  void assertFirstsInOrder(int keys, int n) {
    var wanted = IntStream.range(0, n).mapToObj(String::valueOf).toList();
    for (int key = 0; key < keys; key++) {
      assertThat(of("k" + key).stream().distinct().toList()).isEqualTo(wanted);
    }
  }
}

package io.tidemill.kafka.consumer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.KafkaRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What one membership in a group does, on the one thread that may touch Kafka's consumer: read,
/// hand over, commit, give partitions back.
public final class PollLoop implements ConsumerRebalanceListener {
  private static final Logger log = LoggerFactory.getLogger(PollLoop.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PACE = Duration.ofMillis(3);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(2);
  private static final Duration INTERRUPTED_LIMIT = Duration.ofSeconds(1);

  private final Consumer<byte[], byte[]> consumer;
  private final KeyedSettings settings;
  private final RecordHandler handler;
  private final RecordDispatcher dispatch;
  private final MeterRegistry metrics;
  private final Map<TopicPartition, AssignedPartition> partitions = new HashMap<>();
  private final Map<AssignedPartition, Meter> lags = new HashMap<>();
  private long nextCommit = System.nanoTime();
  private boolean committing;
  private long nextLag = System.nanoTime();
  private long pollAt = System.nanoTime();
  private boolean wasBusy;
  private int paused;

  PollLoop(
      Consumer<byte[], byte[]> consumer,
      KeyedSettings settings,
      RecordHandler handler,
      RecordDispatcher dispatch,
      MeterRegistry metrics) {
    this.consumer = consumer;
    this.settings = settings;
    this.handler = handler;
    this.dispatch = dispatch;
    this.metrics = metrics;
  }

  void join() {
    consumer.subscribe(settings.topics(), this);
  }

  /// Reads once, and does whatever else is due.
  void turn() {
    limit();
    pace();
    accept(poll());
    if (System.nanoTime() - nextCommit >= 0) {
      nextCommit = System.nanoTime() + interval().toNanos();
      commit();
    }
    if (System.nanoTime() - nextLag >= 0) {
      nextLag = System.nanoTime() + Duration.ofSeconds(1).toNanos();
      measure();
    }
  }

  // When records trickle in without end, most of the cost is in asking for each of them at once.
  private void pace() {
    if (!wasBusy) return;
    LockSupport.parkNanos(pollAt + PACE.toNanos() - System.nanoTime());
  }

  private ConsumerRecords<byte[], byte[]> poll() {
    try {
      return consumer.poll(POLL.compareTo(interval()) < 0 ? POLL : interval());
    } catch (WakeupException room) {
      return ConsumerRecords.empty();
    }
  }

  private Duration interval() {
    return settings.membership().commitInterval();
  }

  // A partition may fill its share of the room and no more: a slow key holds up its own at worst.
  private void limit() {
    if (partitions.isEmpty()) return;
    var records = settings.limits().heldOf(partitions.size());
    var bytes = settings.limits().heldBytesOf(partitions.size());
    var on = new ArrayList<TopicPartition>();
    var off = new ArrayList<TopicPartition>();
    dispatch.withBooks(() -> {
      for (var partition : partitions.values()) {
        (partition.limit(records, bytes) ? on : off).add(partition.id);
      }
    });
    paused = off.size();
    var before = consumer.paused();
    on.retainAll(before);
    off.removeAll(before);
    if (!on.isEmpty()) consumer.resume(on);
    if (!off.isEmpty()) consumer.pause(off);
  }

  private void accept(ConsumerRecords<byte[], byte[]> records) {
    pollAt = System.nanoTime();
    wasBusy = !records.isEmpty();
    var taken = new ArrayList<HeldRecord>(records.count());
    for (var id : records.partitions()) {
      var partition = partitions.get(id);
      if (partition == null) continue; // given back while they were on their way
      consumed(id.topic()).increment(records.records(id).size());
      for (var wire : records.records(id)) {
        if (partition.offsets.isFinishedBefore(wire.offset())) continue;
        var record = record(wire);
        if (!isIdle(record)) taken.add(new HeldRecord(partition, record, priority(record)));
      }
    }
    if (!taken.isEmpty()) dispatch.accept(taken);
    dispatch.withBooks(() -> records.nextOffsets().forEach(this::reached));
  }

  private Counter consumed(String topic) {
    return metrics.counter("kafka.consumer.records", "group", settings.group(), "topic", topic);
  }

  private void reached(TopicPartition id, OffsetAndMetadata next) {
    var partition = partitions.get(id);
    if (partition != null) partition.offsets.reached(next.offset());
  }

  private boolean isIdle(KafkaRecord record) {
    try {
      return handler.isIdle(record);
    } catch (RuntimeException unreadable) {
      return false; // the handler will find the same when it is asked to handle it
    }
  }

  private int priority(KafkaRecord record) {
    try {
      return handler.priority(record);
    } catch (RuntimeException unreadable) {
      return 0; // the handler will find the same when it is asked to handle it
    }
  }

  public static KafkaRecord record(ConsumerRecord<byte[], byte[]> wire) {
    var headers = new ArrayList<KafkaHeader>();
    for (var header : wire.headers()) headers.add(new KafkaHeader(header.key(), header.value()));
    return new KafkaRecord(
        wire.topic(),
        wire.partition(),
        wire.offset(),
        wire.key(),
        headers,
        wire.value(),
        wire.timestamp());
  }

  private void commit() {
    if (committing) return;
    var due = dispatch.due(partitions.values());
    if (due.isEmpty()) return;
    committing = true;
    consumer.commitAsync(
        due,
        (done, failed) -> {
          committing = false;
          if (failed == null) dispatch.withBooks(() -> done.forEach(this::committed));
          else commitFailed(failed);
        });
  }

  private void committed(TopicPartition id, OffsetAndMetadata offset) {
    var partition = partitions.get(id);
    if (partition != null) partition.committed = offset;
  }

  // Nothing is lost: the next commit says more, or the next owner does the work again.
  private void commitFailed(Exception failed) {
    metrics.counter("kafka.consumer.commit.failures", "group", settings.group()).increment();
    log.info("group {} could not commit: {}", settings.group(), failed.getMessage());
  }

  private void measure() {
    for (var partition : partitions.values()) {
      var unread = consumer.currentLag(partition.id).orElse(0);
      dispatch.withBooks(() -> {
        var offsets = partition.offsets;
        partition.lag = unread + Math.max(0, offsets.next() - offsets.committable());
      });
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> given) {
    if (given.isEmpty()) return;
    var committed = committed(Set.copyOf(given));
    for (var id : given) {
      var partition = new AssignedPartition(id, committed.get(id));
      partitions.put(id, partition);
      lags.put(partition, lagGauge(partition));
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> given) {
    try {
      return insist(() -> consumer.committed(given, CALL_LIMIT));
    } catch (KafkaException unknown) {
      // Only the saving is lost: what was finished ahead of the commit runs again.
      log.info("group {} could not read its commits: {}", settings.group(), unknown.getMessage());
      return Map.of();
    }
  }

  // A wake-up that was meant for polling may hit another call.
  private static <T> T insist(Supplier<T> call) {
    try {
      return call.get();
    } catch (WakeupException meantForPolling) {
      return call.get();
    }
  }

  private Meter lagGauge(AssignedPartition partition) {
    return Gauge.builder("kafka.consumer.lag", partition, p -> p.lag)
        .description("Records that are in the topic and not finished")
        .tag("group", settings.group())
        .tag("topic", partition.id.topic())
        .tag("partition", String.valueOf(partition.id.partition()))
        .register(metrics);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> taken) {
    giveBack(take(taken));
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> taken) {
    var lost = take(taken);
    if (lost.isEmpty()) return;
    log.warn("group {} has lost {}", settings.group(), taken);
    dispatch.lose(lost);
  }

  private List<AssignedPartition> take(Collection<TopicPartition> taken) {
    var ended = taken.stream().map(partitions::remove).filter(Objects::nonNull).toList();
    for (var partition : ended) {
      var gauge = lags.remove(partition);
      if (gauge != null) metrics.remove(gauge);
    }
    return ended;
  }

  // Whoever gets them next finds nobody at work on them, as far as handlers end when asked to.
  private void giveBack(List<AssignedPartition> ended) {
    if (ended.isEmpty()) return;
    dispatch.release(ended, settings.limits().stopTimeout());
    var due = dispatch.due(ended);
    if (!due.isEmpty()) commitNow(due);
    dispatch.awaitEnd(ended, INTERRUPTED_LIMIT);
  }

  private void commitNow(Map<TopicPartition, OffsetAndMetadata> due) {
    try {
      insist(() -> {
        consumer.commitSync(due, CALL_LIMIT);
        return due;
      });
    } catch (KafkaException failed) {
      commitFailed(failed);
    }
  }

  /// Somebody else has all of it by now.
  void loseAll() {
    onPartitionsLost(List.copyOf(partitions.keySet()));
  }

  /// Gives everything back and leaves the group.
  void leave() {
    try {
      giveBack(take(List.copyOf(partitions.keySet())));
    } finally {
      consumer.close(CloseOptions.timeout(CALL_LIMIT));
    }
  }

  /// How many partitions are not read on for now.
  int paused() {
    return paused;
  }

  /// How many partitions are ours.
  int size() {
    return partitions.size();
  }
}

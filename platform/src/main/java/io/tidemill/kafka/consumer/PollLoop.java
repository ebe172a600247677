package io.tidemill.kafka.consumer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.config.Renaming;
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
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One membership in a group, on the one thread that may use Kafka's consumer: polls, dispatches
/// records, commits, and returns partitions when the group rebalances.
final class PollLoop implements ConsumerRebalanceListener {
  private static final Logger log = LoggerFactory.getLogger(PollLoop.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration PACE = Duration.ofMillis(3);
  private static final Duration CALL_LIMIT = Duration.ofSeconds(2);
  private static final Duration INTERRUPTED_LIMIT = Duration.ofSeconds(1);

  private final Consumer<byte[], byte[]> consumer;
  private final KeyedSettings settings;
  private final Renaming topics;
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
      Renaming topics,
      RecordHandler handler,
      RecordDispatcher dispatch,
      MeterRegistry metrics) {
    this.consumer = consumer;
    this.settings = settings;
    this.topics = topics;
    this.handler = handler;
    this.dispatch = dispatch;
    this.metrics = metrics;
  }

  void join() {
    consumer.subscribe(topics.names(settings.topics()), this);
  }

  /// Polls once, and commits and measures the lag when that is due.
  void runOnce() {
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

  // A steady trickle of records would cost one request each: a short pause gathers some.
  private void pace() {
    if (!wasBusy) return;
    LockSupport.parkNanos(pollAt + PACE.toNanos() - System.nanoTime());
  }

  private ConsumerRecords<byte[], byte[]> poll() {
    try {
      return consumer.poll(POLL.compareTo(interval()) < 0 ? POLL : interval());
    } catch (WakeupException resumable) {
      return ConsumerRecords.empty();
    } catch (IllegalStateException unreadable) {
      if (size() > 0) throw unreadable;
      throw new UnassignedException(unreadable);
    }
  }

  private Duration interval() {
    return settings.membership().commitInterval();
  }

  // Each partition may hold its share and no more, so that a slow key blocks its own at worst.
  private void limit() {
    if (partitions.isEmpty()) return;
    var records = settings.limits().heldOf(partitions.size());
    var bytes = settings.limits().heldBytesOf(partitions.size());
    var resumed = new ArrayList<TopicPartition>();
    var stopped = new ArrayList<TopicPartition>();
    dispatch.withLock(() -> {
      for (var partition : partitions.values()) {
        (partition.limit(records, bytes) ? resumed : stopped).add(partition.id);
      }
    });
    paused = stopped.size();
    var before = consumer.paused();
    resumed.retainAll(before);
    stopped.removeAll(before);
    if (!resumed.isEmpty()) consumer.resume(resumed);
    if (!stopped.isEmpty()) consumer.pause(stopped);
  }

  private void accept(ConsumerRecords<byte[], byte[]> records) {
    pollAt = System.nanoTime();
    wasBusy = !records.isEmpty();
    var taken = new ArrayList<HeldRecord>(records.count());
    for (var id : records.partitions()) {
      var partition = partitions.get(id);
      if (partition == null) continue; // revoked meanwhile
      consumed(topics.original(id.topic())).increment(records.records(id).size());
      for (var wire : records.records(id)) {
        if (partition.offsets.isFinishedBefore(wire.offset())) continue;
        var record = KafkaRecord.of(wire, topics);
        if (!isIdle(record)) taken.add(new HeldRecord(partition, record, priority(record)));
      }
    }
    if (!taken.isEmpty()) dispatch.accept(taken);
    dispatch.withLock(() -> records.nextOffsets().forEach(this::reached));
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
      return false; // handle() will find the same
    }
  }

  private int priority(KafkaRecord record) {
    try {
      return handler.priority(record);
    } catch (RuntimeException unreadable) {
      return 0; // handle() will find the same
    }
  }

  private void commit() {
    if (committing) return;
    var commits = dispatch.pendingCommits(partitions.values());
    if (commits.isEmpty()) return;
    committing = true;
    consumer.commitAsync(
        commits,
        (done, failed) -> {
          committing = false;
          if (failed == null) dispatch.withLock(() -> done.forEach(this::committed));
          else commitFailed(failed);
        });
  }

  private void committed(TopicPartition id, OffsetAndMetadata offset) {
    var partition = partitions.get(id);
    if (partition != null) partition.committed = offset;
  }

  // No record is lost: the next commit covers these, or the next owner handles them again.
  private void commitFailed(Exception failed) {
    metrics.counter("kafka.consumer.commit.failures", "group", settings.group()).increment();
    log.info("group {} could not commit: {}", settings.group(), failed.getMessage());
  }

  private void measure() {
    for (var partition : partitions.values()) {
      var unread = consumer.currentLag(partition.id).orElse(0);
      dispatch.withLock(() -> {
        var offsets = partition.offsets;
        partition.lag = unread + Math.max(0, offsets.next() - offsets.committable());
      });
    }
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    if (assigned.isEmpty()) return;
    var committed = committed(Set.copyOf(assigned));
    for (var id : assigned) {
      var partition = new AssignedPartition(id, committed.get(id));
      partitions.put(id, partition);
      lags.put(partition, lagGauge(partition));
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> assigned) {
    try {
      return retryOnWakeup(() -> consumer.committed(assigned, CALL_LIMIT));
    } catch (KafkaException unknown) {
      // Records that were finished ahead of the commit run again.
      log.info("group {} could not read its commits: {}", settings.group(), unknown.getMessage());
      return Map.of();
    }
  }

  // A wake-up that was meant for poll() may interrupt another call.
  private static <T> T retryOnWakeup(Supplier<T> call) {
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
        .tag("topic", topics.original(partition.id.topic()))
        .tag("partition", String.valueOf(partition.id.partition()))
        .register(metrics);
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    release(remove(revoked));
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> lost) {
    var ended = remove(lost);
    if (ended.isEmpty()) return;
    log.warn("group {} has lost {}", settings.group(), lost);
    dispatch.lose(ended);
  }

  private List<AssignedPartition> remove(Collection<TopicPartition> ids) {
    var ended = ids.stream().map(partitions::remove).filter(Objects::nonNull).toList();
    for (var partition : ended) {
      var gauge = lags.remove(partition);
      if (gauge != null) metrics.remove(gauge);
    }
    return ended;
  }

  // The next owner must not meet handlers that still run here, as far as they obey interrupts.
  private void release(List<AssignedPartition> ended) {
    if (ended.isEmpty()) return;
    dispatch.release(ended, settings.limits().stopTimeout());
    var commits = dispatch.pendingCommits(ended);
    if (!commits.isEmpty()) commitNow(commits);
    dispatch.awaitEnd(ended, INTERRUPTED_LIMIT);
  }

  private void commitNow(Map<TopicPartition, OffsetAndMetadata> commits) {
    try {
      retryOnWakeup(() -> {
        consumer.commitSync(commits, CALL_LIMIT);
        return commits;
      });
    } catch (KafkaException failed) {
      commitFailed(failed);
    }
  }

  /// All partitions have other owners by now.
  void loseAll() {
    onPartitionsLost(List.copyOf(partitions.keySet()));
  }

  /// Returns all partitions and leaves the group.
  void leave() {
    try {
      release(remove(List.copyOf(partitions.keySet())));
    } finally {
      consumer.close(CloseOptions.timeout(CALL_LIMIT));
    }
  }

  /// The number of paused partitions.
  int paused() {
    return paused;
  }

  /// The number of assigned partitions.
  int size() {
    return partitions.size();
  }
}

package io.tidemill.worker;

import io.tidemill.job.JobQueue;
import io.tidemill.job.TakenJob;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.redis.stream.StreamDelivery;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The thread that reads the queue and reclaims entries of lost workers (C3.7).
///
/// It takes no more entries than there are free slots and leaves the rest to other workers.
final class JobReader {
  private static final Logger log = LoggerFactory.getLogger(JobReader.class);

  private static final Duration READ_WAIT = Duration.ofSeconds(1);
  private static final Duration MIXED_READ_WAIT = Duration.ofMillis(100);
  private static final int READ_MOST = 128;
  private static final Duration RECLAIM_AT_LEAST = Duration.ofSeconds(2);
  private static final Duration STOP_WAIT = Duration.ofSeconds(10);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(2));

  private final WorkerConfig config;
  private final StreamConsumer source;
  private final JobQueue queue;
  private final Semaphore slots;
  private final Consumer<TakenJob> receiver;
  private final Thread thread = Thread.ofPlatform().name("worker-read").unstarted(this::readAll);
  private volatile boolean stopping;

  /// @param receiver gets each entry with a slot, which it releases
  JobReader(
      WorkerConfig config,
      StreamConsumer source,
      JobQueue queue,
      Semaphore slots,
      Consumer<TakenJob> receiver) {
    this.config = config;
    this.source = source;
    this.queue = queue;
    this.slots = slots;
    this.receiver = receiver;
  }

  void start() {
    thread.start();
  }

  void stop() {
    synchronized (this) {
      stopping = true;
      thread.interrupt();
    }
    try {
      thread.join(STOP_WAIT);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void readAll() {
    var failures = 0;
    var nextReclaim = System.nanoTime();
    var busy = false;
    while (!stopping) {
      try {
        if (System.nanoTime() - nextReclaim >= 0) {
          acceptAll(this::reclaim);
          nextReclaim = System.nanoTime() + reclaimEvery().toNanos();
        }
        var reads = !busy;
        busy = acceptAll(reads ? this::read : this::take);
        // An entry that was set aside wakes no blocked reader.
        if (reads && source.isMixed()) busy = true;
        failures = 0;
      } catch (InterruptedException stop) {
        return;
      } catch (RedisException unreachable) {
        if (stopping) return;
        busy = false;
        if (++failures == 1) log.warn("{}", unreachable.getMessage());
        BACKOFF.pause(failures);
      } catch (RuntimeException unexpected) {
        // Without this thread the process would look alive and do nothing.
        busy = false;
        if (++failures == 1) log.error("reading jobs failed", unexpected);
        BACKOFF.pause(failures);
      }
    }
  }

  private boolean acceptAll(IntFunction<List<TakenJob>> from) throws InterruptedException {
    slots.acquire();
    var free = 1 + slots.drainPermits();
    var unused = free;
    try {
      for (var taken : from.apply(Math.min(READ_MOST, free))) {
        receiver.accept(taken);
        unused--;
      }
    } finally {
      slots.release(unused);
    }
    return unused < free;
  }

  // While there is work, reading and starting are one step. An interrupt between the command and
  // its
  // reply would lose entries that Redis counts as delivered.
  private synchronized List<TakenJob> take(int most) {
    if (stopping) return List.of();
    return queue.take(source.consumer(), most, config.announcement());
  }

  // Waits for work.
  private List<TakenJob> read(int most) {
    return unstarted(source.read(most, readWait()));
  }

  private synchronized List<TakenJob> reclaim(int most) {
    if (stopping) return List.of();
    return unstarted(source.reclaim(most));
  }

  private static List<TakenJob> unstarted(List<StreamDelivery> deliveries) {
    return deliveries.stream()
        .map(delivery -> new TakenJob(delivery.lease(), delivery.fields(), null))
        .toList();
  }

  private Duration readWait() {
    if (source.isMixed()) return MIXED_READ_WAIT;
    return reclaimEvery().compareTo(READ_WAIT) < 0 ? reclaimEvery() : READ_WAIT;
  }

  private Duration reclaimEvery() {
    var quarter = config.lease().dividedBy(4);
    return quarter.compareTo(RECLAIM_AT_LEAST) < 0 ? quarter : RECLAIM_AT_LEAST;
  }
}

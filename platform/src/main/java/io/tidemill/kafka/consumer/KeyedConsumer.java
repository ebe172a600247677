package io.tidemill.kafka.consumer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.service.Service;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Consumes topics as a member of a group: records of one key in order, different keys
/// concurrently, each committed only when it and all before it are finished.
///
/// One thread polls and never waits for a handler: [PollLoop] reads records and hands them to
/// [RecordDispatcher], which runs them on virtual threads in the order of [KeyQueues].
/// [RecordAttempts] calls the handler and settles: done, retried, or published to `<topic>.dead` by
/// [DeadRecordPublisher]. [AssignedPartition] tracks what can be committed.
///
/// A key that is slow or fails blocks itself only. A crash runs unfinished records again, so
/// handlers must be idempotent (G4).
///
/// The group uses Kafka's classic protocol, in which the client sets session timeout and heartbeat
/// as C2.5 demands; in the newer one the broker sets them.
public final class KeyedConsumer implements Service {
  private static final Logger log = LoggerFactory.getLogger(KeyedConsumer.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
  private static final Duration SILENCE = Duration.ofSeconds(20);
  private static final Duration IDLE = Duration.ofSeconds(15);
  private static final Duration STOP_SPARE = Duration.ofSeconds(8);
  private static final int FAILURES_BEFORE_NEW_START = 5;
  private static final int FETCH_BYTES = 16 * 1024 * 1024;

  private final KafkaConfig config;
  private final KeyedSettings settings;
  private final RecordHandler handler;
  private final RecordDispatcher dispatch;
  private final MeterRegistry metrics;
  private final Thread thread;
  private final CountDownLatch stopping = new CountDownLatch(1);

  private volatile @Nullable Consumer<byte[], byte[]> consumer;
  private volatile long lastPoll = System.nanoTime();
  private volatile int partitions;
  private volatile int paused;
  private volatile @Nullable String failure;
  private boolean prepared;

  /// @param deadLetters publishes to `<topic>.dead`, which is created when missing
  public KeyedConsumer(
      KafkaConfig config,
      KeyedSettings settings,
      RecordHandler handler,
      KafkaPublisher deadLetters,
      InstantSource clock,
      MeterRegistry metrics) {
    this.config = config;
    this.settings = settings;
    this.handler = handler;
    this.metrics = metrics;
    var tail = new DeadRecordTail(config, clock);
    var dead = new DeadRecordPublisher(deadLetters, tail, config.topicNames(), clock);
    var attempts = new RecordAttempts(handler, settings, dead, this::isSessionAlive, metrics);
    dispatch = new RecordDispatcher(settings.limits().inFlight(), attempts::run, this::wakeUp);
    thread = Thread.ofPlatform().name("kafka-" + settings.group()).unstarted(this::run);
    Gauge.builder("kafka.consumer.running", dispatch, RecordDispatcher::running)
        .description("Records being handled")
        .tag("group", settings.group())
        .register(metrics);
    Gauge.builder("kafka.consumer.held", dispatch, RecordDispatcher::held)
        .description("Records read and not finished")
        .tag("group", settings.group())
        .register(metrics);
    Gauge.builder("kafka.consumer.paused", () -> paused)
        .description("Partitions that are not read on until records in hand are finished")
        .tag("group", settings.group())
        .register(metrics);
  }

  @Override
  public String name() {
    return "kafka group " + settings.group();
  }

  /// Returns at once; an unreachable broker is retried.
  @Override
  public void start() {
    thread.start();
  }

  /// Waits for records in flight within their limit, commits, and leaves the group.
  @Override
  public void stop() {
    stopping.countDown();
    if (consumer == null) thread.interrupt();
    else wakeUp();
    try {
      thread.join(settings.limits().stopTimeout().plus(STOP_SPARE));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean isHealthy() {
    return thread.isAlive() && failure == null && sinceLastPoll() < SILENCE.toNanos();
  }

  /// Its state in one line.
  public String describe() {
    var failed = failure;
    if (failed != null) return failed;
    if (!thread.isAlive()) return "not running";
    var silence = Duration.ofNanos(sinceLastPoll());
    if (silence.compareTo(SILENCE) > 0) return "silent for " + silence.toSeconds() + " s";
    return partitions + " partition(s), " + dispatch.running() + " in flight";
  }

  /// Records that were read and are not finished.
  int held() {
    return dispatch.held();
  }

  // After a suspension longer than its session the process must assume that it was replaced (F03).
  private boolean isSessionAlive() {
    return sinceLastPoll() < settings.membership().sessionTimeout().toNanos();
  }

  private long sinceLastPoll() {
    return System.nanoTime() - lastPoll;
  }

  private void wakeUp() {
    var polling = consumer;
    if (polling != null) polling.wakeup();
  }

  private void run() {
    for (int failures = 1; !isStopping(); failures++) {
      try {
        prepare();
        consume();
        failures = 0;
      } catch (InterruptedException stop) {
        return;
      } catch (UnassignedException idle) {
        // Each new attempt makes the whole group share anew: not too often.
        log.info("{} joins again in {} s: {}", name(), IDLE.toSeconds(), idle.getMessage());
        pause(IDLE);
        lastPoll = System.nanoTime(); // it is well, though it has nothing to do
        failures = 0;
        continue;
      } catch (RuntimeException failed) {
        if (isStopping()) return;
        report(failed);
      }
      pause(failures);
    }
  }

  private boolean isStopping() {
    return stopping.getCount() == 0;
  }

  // Only once: after that the group has committed offsets.
  private void prepare() throws InterruptedException {
    if (prepared) return;
    try (var topics = new TopicProvisioner(config)) {
      topics.provision(settings.topics().stream().map(DeadRecordPublisher::wanted).toList());
      topics.pin(settings.group(), settings.predecessor(), settings.topics(), settings.startAt());
    }
    prepared = true;
  }

  private void consume() {
    var client =
        new KafkaConsumer<>(
            consumerSettings(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    var loop = new PollLoop(client, settings, config.topicNames(), handler, dispatch, metrics);
    consumer = client;
    lastPoll = System.nanoTime(); // the session of a new membership starts here
    try {
      loop.join();
      poll(loop);
    } finally {
      consumer = null;
      partitions = 0;
      paused = 0;
      leave(loop);
    }
  }

  private void poll(PollLoop loop) {
    for (int failures = 0; !isStopping(); ) {
      try {
        loop.runOnce();
        checkSession(loop);
        failures = 0;
        lastPoll = System.nanoTime();
        partitions = loop.size();
        paused = loop.paused();
        failure = null;
      } catch (org.apache.kafka.common.KafkaException failed) {
        if (++failures == FAILURES_BEFORE_NEW_START) throw failed;
        report(failed);
        pause(failures);
      }
    }
  }

  // The broker has reassigned the partitions, even if Kafka's client has not noticed yet.
  private void checkSession(PollLoop loop) {
    if (isSessionAlive() || isStopping()) return;
    loop.loseAll();
    throw new IllegalStateException("it slept for longer than its session");
  }

  private void leave(PollLoop loop) {
    var _ = Thread.interrupted(); // else Kafka's calls would fail at once
    try {
      loop.leave();
    } catch (RuntimeException failed) {
      log.info("{} did not leave cleanly: {}", name(), failed.getMessage());
    }
  }

  // Logs only the first of a series of failures.
  private void report(RuntimeException failed) {
    var message = String.valueOf(failed.getMessage());
    if (failure == null) log.warn("{} can't read and retries: {}", name(), message);
    failure = message;
  }

  private void pause(int failures) {
    pause(BACKOFF.after(failures, ThreadLocalRandom.current()));
  }

  private void pause(Duration pause) {
    try {
      var _ = stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> consumerSettings() {
    var membership = settings.membership();
    var kafka = new HashMap<String, Object>();
    kafka.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrap());
    kafka.put(ConsumerConfig.GROUP_ID_CONFIG, config.groupNames().name(settings.group()));
    kafka.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    // Several, as clients in other languages may share the group and know only some.
    kafka.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        List.of(
            StickyAssignor.class.getName(),
            RangeAssignor.class.getName(),
            RoundRobinAssignor.class.getName(),
            KafkaJsAssignor.class.getName()));
    kafka.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, millis(membership.sessionTimeout()));
    kafka.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, millis(membership.heartbeat()));
    kafka.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, millis(membership.maxPollInterval()));
    kafka.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // The start of a new group is committed in prepare(). A partition without an offset was added
    // later or lost its offset: to skip its records would be the worse mistake (F01).
    kafka.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    kafka.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    kafka.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    kafka.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, settings.limits().perPoll());
    kafka.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    kafka.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 30_000);
    kafka.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 15_000);
    kafka.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
    kafka.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    kafka.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return kafka;
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }
}

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

/// Reads topics for a group: records of one key in order, different keys side by side, each
/// committed only when it and all before it are finished.
///
/// One thread reads and never waits for a handler; a key that is slow or fails holds up itself
/// only. A record counts as finished when the handler is done with it or its dead letter is
/// confirmed. A crash runs unfinished records again, so handlers must be safe to repeat (G4).
///
/// The group uses Kafka's classic protocol: with the newer one session and heartbeat are the
/// broker's to set, and C2.5 wants them of the client.
public final class KeyedConsumer implements Service {
  private static final Logger log = LoggerFactory.getLogger(KeyedConsumer.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(5));
  private static final Duration SILENCE = Duration.ofSeconds(20);
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
  private volatile long lastTurn = System.nanoTime();
  private volatile int partitions;
  private volatile int paused;
  private volatile @Nullable String trouble;
  private boolean prepared;

  /// @param deadLetters publishes to `<topic>.dead`, which is made when missing
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
    var attempts =
        new RecordAttempts(
            handler, settings, new DeadRecordPublisher(deadLetters, clock), this::isAwake, metrics);
    dispatch = new RecordDispatcher(settings.limits().inFlight(), attempts::run, this::wake);
    thread = Thread.ofPlatform().name("kafka-" + settings.group()).unstarted(this::work);
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

  /// Returns at once: a broker that is not there yet is waited for.
  @Override
  public void start() {
    thread.start();
  }

  /// Waits for records in flight within their limit, commits, and leaves the group.
  @Override
  public void stop() {
    stopping.countDown();
    if (consumer == null) thread.interrupt();
    else wake();
    try {
      thread.join(settings.limits().stopTimeout().plus(STOP_SPARE));
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether records are being read, as far as this process can tell.
  public boolean isHealthy() {
    return thread.isAlive() && trouble == null && sinceLastTurn() < SILENCE.toNanos();
  }

  /// One line on how it goes.
  public String describe() {
    var what = trouble;
    if (what != null) return what;
    if (!thread.isAlive()) return "not running";
    var silence = Duration.ofNanos(sinceLastTurn());
    if (silence.compareTo(SILENCE) > 0) return "silent for " + silence.toSeconds() + " s";
    return partitions + " partition(s), " + dispatch.running() + " in flight";
  }

  /// Records that were read and are not finished.
  public int held() {
    return dispatch.held();
  }

  // A process that was put to sleep for longer than its session must think itself replaced (F03).
  private boolean isAwake() {
    return sinceLastTurn() < settings.membership().sessionTimeout().toNanos();
  }

  private long sinceLastTurn() {
    return System.nanoTime() - lastTurn;
  }

  private void wake() {
    var reading = consumer;
    if (reading != null) reading.wakeup();
  }

  private void work() {
    for (int failures = 1; !isStopping(); failures++) {
      try {
        prepare();
        read();
        failures = 0;
      } catch (InterruptedException stop) {
        return;
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

  // Once: later the group has offsets of its own.
  private void prepare() throws InterruptedException {
    if (prepared) return;
    try (var topics = new TopicProvisioner(config)) {
      topics.provision(settings.topics().stream().map(DeadRecordPublisher::wanted).toList());
      topics.pin(settings.group(), settings.topics(), settings.startAt());
    }
    prepared = true;
  }

  private void read() {
    var reading =
        new KafkaConsumer<>(wire(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    var loop = new PollLoop(reading, settings, handler, dispatch, metrics);
    consumer = reading;
    lastTurn = System.nanoTime(); // a new membership begins, however long the last one is over
    try {
      loop.join();
      turn(loop);
    } finally {
      consumer = null;
      partitions = 0;
      paused = 0;
      leave(loop);
    }
  }

  private void turn(PollLoop loop) {
    for (int failures = 0; !isStopping(); ) {
      try {
        loop.turn();
        checkSleep(loop);
        failures = 0;
        lastTurn = System.nanoTime();
        partitions = loop.size();
        paused = loop.paused();
        trouble = null;
      } catch (org.apache.kafka.common.KafkaException failed) {
        if (++failures == FAILURES_BEFORE_NEW_START) throw failed;
        report(failed);
        pause(failures);
      }
    }
  }

  // The broker has given our partitions to others, whether Kafka's client has noticed or not.
  private void checkSleep(PollLoop loop) {
    if (isAwake() || isStopping()) return;
    loop.loseAll();
    throw new IllegalStateException("it slept for longer than its session");
  }

  private void leave(PollLoop loop) {
    var _ = Thread.interrupted(); // Kafka's calls would fail at once
    try {
      loop.leave();
    } catch (RuntimeException failed) {
      log.info("{} did not leave cleanly: {}", name(), failed.getMessage());
    }
  }

  // One line when it begins, none while it lasts.
  private void report(RuntimeException failed) {
    var message = String.valueOf(failed.getMessage());
    if (trouble == null) log.warn("{} can't read, and tries on: {}", name(), message);
    trouble = message;
  }

  private void pause(int failures) {
    var pause = BACKOFF.after(failures, ThreadLocalRandom.current());
    try {
      var _ = stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> wire() {
    var membership = settings.membership();
    var wire = new HashMap<String, Object>();
    wire.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrap());
    wire.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
    wire.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    // The first that all members know: programs in other languages may share the group.
    wire.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        List.of(
            StickyAssignor.class.getName(),
            RangeAssignor.class.getName(),
            RoundRobinAssignor.class.getName()));
    wire.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, millis(membership.sessionTimeout()));
    wire.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, millis(membership.heartbeat()));
    wire.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, millis(membership.maxPollInterval()));
    wire.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // Where a new group starts is pinned; a partition without an offset is one that came later, or
    // whose offset was lost: to skip its records is the worse mistake (F01).
    wire.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    wire.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    wire.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    wire.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, settings.limits().perPoll());
    wire.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
    wire.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 30_000);
    wire.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 15_000);
    wire.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 1_000);
    wire.put(ConsumerConfig.METRIC_REPORTER_CLASSES_CONFIG, "");
    wire.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return wire;
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }
}

package io.tidemill.kafka.consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.consumer.HeldRecord.DeadReason;
import io.tidemill.kafka.consumer.KeyedSettings.Retries;
import io.tidemill.work.Settlement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls the handler and settles the record: finished, retried after a pause, or published as a
/// dead letter. Never throws.
final class RecordAttempts {
  private static final Logger log = LoggerFactory.getLogger(RecordAttempts.class);

  private final RecordHandler handler;
  private final Retries retries;
  private final DeadRecordPublisher deadLetters;
  private final BooleanSupplier sessionAlive;
  private final String group;
  private final MeterRegistry metrics;
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  /// @param sessionAlive whether the session with the broker can still be alive
  RecordAttempts(
      RecordHandler handler,
      KeyedSettings settings,
      DeadRecordPublisher deadLetters,
      BooleanSupplier sessionAlive,
      MeterRegistry metrics) {
    this.handler = handler;
    this.retries = settings.retries();
    this.deadLetters = deadLetters;
    this.sessionAlive = sessionAlive;
    this.group = settings.group();
    this.metrics = metrics;
  }

  /// @return the pause until its next attempt; empty when it never runs again here
  Optional<Duration> run(HeldRecord held) {
    return held.dead == null ? attempt(held) : publishDead(held, held.dead);
  }

  private Optional<Duration> attempt(HeldRecord held) {
    held.attempts++;
    held.failure = null;
    var settlement = handle(held);
    if (!held.partition.isOurs()) return finished("lost");
    return switch (settlement) {
      case Settlement.Done _ -> finished("done");
      case Settlement.Defer(var after, var why) ->
          postponed("later", held, pause(after, held.attempts--), why); // does not count
      case Settlement.Retry(var after, var why) when held.attempts < retries.maxAttempts() ->
          postponed("retry", held, pause(after, held.attempts), why);
      case Settlement.Retry(_, var why) -> publishDead(held, new DeadReason(why, held.failure));
      case Settlement.DeadLetter(var why) -> publishDead(held, new DeadReason(why, held.failure));
    };
  }

  // Errors are caught as well: else the key would never continue.
  private Settlement handle(HeldRecord held) {
    BooleanSupplier ours = () -> held.partition.isOurs() && sessionAlive.getAsBoolean();
    var began = System.nanoTime();
    try {
      return Objects.requireNonNull(
          handler.handle(new RecordAttempt(held.record, held.attempts, ours)),
          "the handler said null");
    } catch (Throwable thrown) {
      held.failure = thrown;
      return new Settlement.Retry(thrown.toString());
    } finally {
      timers
          .computeIfAbsent(held.record.topic(), this::timer)
          .record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    }
  }

  private Timer timer(String topic) {
    return Timer.builder("kafka.consumer.handling")
        .description("How long an attempt at a record takes")
        .tag("group", group)
        .tag("topic", topic)
        .publishPercentiles(0.5, 0.95, 0.99)
        .register(metrics);
  }

  // The record is finished only when the broker has confirmed its dead letter.
  private Optional<Duration> publishDead(HeldRecord held, DeadReason reason) {
    held.dead = reason;
    try {
      deadLetters.publish(held, reason);
    } catch (KafkaException unpublished) {
      if (!held.partition.isOurs()) return finished("lost");
      return postponed("unburied", held, pause(++held.failedPublishes), unpublished);
    }
    log.warn(
        "{} is dead after {} attempt(s): {}", held.record.place(), held.attempts, reason.text());
    return finished("dead");
  }

  private Duration pause(Duration requested, int failures) {
    return requested.isZero() ? pause(failures) : requested;
  }

  private Duration pause(int failures) {
    return retries.backoff().after(failures, ThreadLocalRandom.current());
  }

  private Optional<Duration> finished(String outcome) {
    count(outcome);
    return Optional.empty();
  }

  private Optional<Duration> postponed(
      String outcome, HeldRecord held, Duration after, Object why) {
    count(outcome);
    log.info("{} will be tried again in {}: {}", held.record.place(), after, why);
    return Optional.of(after);
  }

  private void count(String outcome) {
    metrics.counter("kafka.consumer.handled", "group", group, "outcome", outcome).increment();
  }
}

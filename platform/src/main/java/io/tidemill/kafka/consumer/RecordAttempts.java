package io.tidemill.kafka.consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.consumer.HeldRecord.Burial;
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

/// Asks the handler and settles the record as it says: finished, again after a pause, or dead and
/// buried. Never throws.
final class RecordAttempts {
  private static final Logger log = LoggerFactory.getLogger(RecordAttempts.class);

  private final RecordHandler handler;
  private final Retries retries;
  private final DeadRecordPublisher deadLetters;
  private final BooleanSupplier awake;
  private final String group;
  private final MeterRegistry metrics;
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  /// @param awake whether our session with the broker can still be alive
  RecordAttempts(
      RecordHandler handler,
      KeyedSettings settings,
      DeadRecordPublisher deadLetters,
      BooleanSupplier awake,
      MeterRegistry metrics) {
    this.handler = handler;
    this.retries = settings.retries();
    this.deadLetters = deadLetters;
    this.awake = awake;
    this.group = settings.group();
    this.metrics = metrics;
  }

  /// @return the pause until its next attempt; empty when it never runs again here
  Optional<Duration> run(HeldRecord held) {
    var burial = held.burial;
    return burial == null ? attempt(held) : bury(held, burial);
  }

  private Optional<Duration> attempt(HeldRecord held) {
    held.attempts++;
    held.failure = null;
    var settlement = ask(held);
    if (!held.partition.isOurs()) return finished("lost");
    return switch (settlement) {
      case Settlement.Done _ -> finished("done");
      case Settlement.Defer(var after, var why) -> {
        var pause = pause(after, held.attempts--);
        yield postponed("later", held, pause, why);
      }
      case Settlement.Retry(var after, var why) when held.attempts < retries.maxAttempts() ->
          postponed("retry", held, pause(after, held.attempts), why);
      case Settlement.Retry(_, var why) -> bury(held, new Burial(why, held.failure));
      case Settlement.DeadLetter(var reason) -> bury(held, new Burial(reason, held.failure));
    };
  }

  // An error, too, must not leave the key stuck for ever.
  private Settlement ask(HeldRecord held) {
    BooleanSupplier ours = () -> held.partition.isOurs() && awake.getAsBoolean();
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

  // The letter first, confirmed; only then the record counts as finished.
  private Optional<Duration> bury(HeldRecord held, Burial burial) {
    held.burial = burial;
    try {
      deadLetters.publish(held.record, held.attempts, burial);
    } catch (KafkaException unpublished) {
      if (!held.partition.isOurs()) return finished("lost");
      return postponed("unburied", held, pause(++held.burials), unpublished);
    }
    log.warn(
        "{} is dead after {} attempt(s): {}", held.record.place(), held.attempts, burial.reason());
    return finished("dead");
  }

  private Duration pause(Duration asked, int failures) {
    return asked.isZero() ? pause(failures) : asked;
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

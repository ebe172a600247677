package io.tidemill.kafka.consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.kafka.KafkaException;
import io.tidemill.kafka.consumer.HeldRecord.Burial;
import io.tidemill.kafka.consumer.KeyedSettings.Retries;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks the handler, and turns what it says into an ending: finished, again later, or dead and
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

  RecordEnding run(HeldRecord held) {
    var burial = held.burial;
    return burial == null ? attempt(held) : bury(held, burial);
  }

  private RecordEnding attempt(HeldRecord held) {
    held.attempts++;
    held.failure = null;
    var handled = ask(held);
    if (!held.partition.isOurs()) return finished("lost");
    return switch (handled) {
      case Handled.Done _ -> finished("done");
      case Handled.Later(var after, var why) -> {
        held.attempts--;
        yield postponed("later", held, after, why);
      }
      case Handled.Retry(var after, var why) when held.attempts < retries.maxAttempts() ->
          postponed("retry", held, after, why);
      case Handled.Retry(_, var why) -> bury(held, new Burial(why, held.failure));
      case Handled.Dead(var reason) -> bury(held, new Burial(reason, held.failure));
    };
  }

  // An error, too, must not leave the key stuck for ever.
  private Handled ask(HeldRecord held) {
    BooleanSupplier ours = () -> held.partition.isOurs() && awake.getAsBoolean();
    var began = System.nanoTime();
    try {
      return Objects.requireNonNull(
          handler.handle(new RecordAttempt(held.record, held.attempts, ours)),
          "the handler said null");
    } catch (Throwable thrown) {
      held.failure = thrown;
      return new Handled.Retry(pause(held.attempts), thrown.toString());
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
  private RecordEnding bury(HeldRecord held, Burial burial) {
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

  private Duration pause(int failures) {
    return retries.backoff().after(failures, ThreadLocalRandom.current());
  }

  private RecordEnding finished(String outcome) {
    count(outcome);
    return new RecordEnding.Finished();
  }

  private RecordEnding postponed(String outcome, HeldRecord held, Duration after, Object why) {
    count(outcome);
    log.info("{} will be tried again in {}: {}", held.record.place(), after, why);
    return new RecordEnding.Postponed(after);
  }

  private void count(String outcome) {
    metrics.counter("kafka.consumer.handled", "group", group, "outcome", outcome).increment();
  }
}

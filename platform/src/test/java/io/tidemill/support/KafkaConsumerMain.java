package io.tidemill.support;

import static io.tidemill.support.TestKafka.key;
import static io.tidemill.support.TestKafka.value;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.kafka.consumer.RecordAttempt;
import io.tidemill.work.Settlement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;

/// A consumer as a process, which writes what it does into a file: `done k7 3`, `fenced k7 3`.
/// Records with the value [#BROKEN] go to the dead letters.
public final class KafkaConsumerMain {
  public static final String BROKEN = "broken";

  private KafkaConsumerMain() {}

  /// @param arguments broker, topic, group, file, how long a record takes at most in ms, session in
  ///   ms, commit interval in ms
  public static void main(String[] arguments) throws InterruptedException {
    var config = new KafkaConfig(arguments[0], 1);
    var journal = Path.of(arguments[3]);
    var most = Integer.parseInt(arguments[4]);
    var settings =
        TestKafka.settings(arguments[2], arguments[1])
            .withMembership(
                new KeyedSettings.Membership(
                    Duration.ofMillis(Integer.parseInt(arguments[5])),
                    Duration.ofMillis(200),
                    Duration.ofMinutes(5),
                    Duration.ofMillis(Integer.parseInt(arguments[6]))));
    var consumer =
        new KeyedConsumer(
            config,
            settings,
            attempt -> handle(attempt, journal, most),
            new KafkaPublisher(config, "child"),
            InstantSource.system(),
            new SimpleMeterRegistry());
    consumer.start();
    System.out.println("ready " + arguments[1]);
    Thread.currentThread().join();
  }

  private static Settlement handle(RecordAttempt attempt, Path journal, int most) {
    if (value(attempt.record()).equals(BROKEN)) return new Settlement.DeadLetter(BROKEN);
    var end = System.nanoTime() + ThreadLocalRandom.current().nextLong(most / 2, most) * 1_000_000;
    append(journal, "start", attempt);
    while (System.nanoTime() < end) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException lost) {
        break;
      }
    }
    append(journal, attempt.isOurs() ? "done" : "fenced", attempt);
    return Settlement.DONE;
  }

  private static void append(Path journal, String what, RecordAttempt attempt) {
    var line = "%s %s %s%n".formatted(what, key(attempt.record()), value(attempt.record()));
    try {
      Files.writeString(journal, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
  }
}

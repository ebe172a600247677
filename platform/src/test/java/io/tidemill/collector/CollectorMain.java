package io.tidemill.collector;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.consumer.MessageHandler;
import io.tidemill.analytics.Analytics;
import io.tidemill.config.ByteSize;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.s3.S3Config;
import io.tidemill.sql.AnalyticsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;

/// A collector as a process, which may be told where to die.
public final class CollectorMain {
  private CollectorMain() {}

  /// Where it dies, as if by SIGKILL, the second time that it comes there.
  enum Death {
    NEVER,
    BEFORE_THE_BATCH,
    WITHIN_THE_TRANSACTION,
    BEHIND_THE_BATCH
  }

  /// @param arguments ports of broker, Redis and object store, the folder, a [Death]
  public static void main(String[] arguments) throws InterruptedException {
    var role =
        role(
            Integer.parseInt(arguments[0]),
            arguments[1],
            arguments[2],
            Path.of(arguments[3]),
            Death.valueOf(arguments[4]));
    role.start();
    System.out.println("ready " + ProcessHandle.current().pid());
    Thread.currentThread().join();
  }

  static CollectorRole role(int broker, String redis, String s3, Path folder, Death death) {
    var config =
        new CollectorConfig(
            2,
            "crawl-results",
            4,
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            ByteSize.ofMib(2_048),
            Duration.ofMinutes(10),
            "");
    var amqp =
        new AmqpConfig(
            "amqp://guest:guest@127.0.0.1:" + broker, "guest", "guest", Duration.ofSeconds(30));
    var clock = clock(death);
    return new CollectorRole(
        config,
        new CollectorRole.Servers(
            new Redis(new RedisConfig(redis, 1, Duration.ofSeconds(5))),
            amqp,
            new S3Config(s3, "key", "secret")),
        new Analytics(new AnalyticsConfig("", ByteSize.ofMib(128), 2), folder, clock),
        new Traces(ObserveConfig.standard()),
        new SimpleMeterRegistry(),
        InstantSource.system(),
        handler -> dying(handler, death));
  }

  private static MessageHandler dying(MessageHandler handler, Death death) {
    var times = new AtomicInteger();
    return (batch, context) -> {
      if (death == Death.BEFORE_THE_BATCH && times.incrementAndGet() == 2) die();
      var settlements = handler.handle(batch, context);
      if (death == Death.BEHIND_THE_BATCH && times.incrementAndGet() == 2) die();
      return settlements;
    };
  }

  // The time is asked for in the middle of the transaction, behind everything else.
  private static InstantSource clock(Death death) {
    var times = new AtomicInteger();
    return () -> {
      if (death == Death.WITHIN_THE_TRANSACTION && times.incrementAndGet() == 2) die();
      return InstantSource.system().instant();
    };
  }

  private static void die() {
    Runtime.getRuntime().halt(137);
  }
}

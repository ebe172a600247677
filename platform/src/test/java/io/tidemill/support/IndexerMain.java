package io.tidemill.support;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.config.ByteSize;
import io.tidemill.indexer.IndexerConfig;
import io.tidemill.indexer.PageIndexer;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

/// An indexer as a process, which gets stuck between the index and the broker.
public final class IndexerMain {
  private IndexerMain() {}

  /// @param arguments the broker's address, the index's file, and after how many changes it is
  ///   stuck
  public static void main(String[] arguments) throws InterruptedException {
    var amqp = new AmqpConfig(arguments[0], "guest", "guest", Duration.ofSeconds(30));
    var metrics = new SimpleMeterRegistry();
    new PageIndexer(
            new IndexerConfig(
                50, Duration.ofMillis(200), ByteSize.ofMib(32), 3, Duration.ofMinutes(5)),
            amqp,
            new FileIndex(Path.of(arguments[1]), Long.parseLong(arguments[2])),
            new AmqpPublisher(amqp, metrics),
            new Traces(ObserveConfig.standard()),
            InstantSource.system(),
            metrics)
        .start();
    System.out.println("ready indexer");
    Thread.currentThread().join();
  }
}

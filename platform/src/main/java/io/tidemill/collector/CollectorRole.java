package io.tidemill.collector;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.broker.amqp.AmqpConfig;
import io.tidemill.broker.amqp.AttemptCounts;
import io.tidemill.broker.amqp.EachConsumer;
import io.tidemill.broker.amqp.EachHandler;
import io.tidemill.broker.amqp.EachPlan;
import io.tidemill.broker.amqp.Publisher;
import io.tidemill.broker.amqp.Topology;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.http.HealthCheck;
import io.tidemill.observe.Traces;
import io.tidemill.service.Service;
import io.tidemill.store.analytics.Analytics;
import io.tidemill.store.blob.BlobConfig;
import io.tidemill.store.blob.Blobs;
import io.tidemill.store.redis.AttemptStore;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.WireSamples;
import io.tidemill.text.Languages;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.UnaryOperator;

/// The collector role put together.
public final class CollectorRole implements Service {
  // Messages that wait for another try and hold up nobody.
  private static final int WAITING = 16;
  private static final Duration COUNTS_LIVE = Duration.ofDays(1);

  /// The servers that it talks to.
  public record Servers(Redis redis, AmqpConfig amqp, BlobConfig blobs) {}

  private final Publisher publisher;
  private final Blobs blobs;
  private final EachConsumer consumer;

  public CollectorRole(
      CollectorConfig config,
      Servers servers,
      Analytics analytics,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    this(config, servers, analytics, traces, metrics, clock, UnaryOperator.identity());
  }

  /// @param around sees every message before and behind the collector
  CollectorRole(
      CollectorConfig config,
      Servers servers,
      Analytics analytics,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock,
      UnaryOperator<EachHandler> around) {
    publisher = new Publisher(servers.amqp(), "collector", metrics);
    blobs = new Blobs(servers.blobs());
    var store = analytics.batches();
    var samples = new WireSamples(servers.redis(), clock);
    var collector =
        new BatchCollector(
            config,
            blobs,
            store,
            new Analysis(new Languages()),
            new Results(config.resultsExchange(), publisher, store, samples),
            new CollectorMeters(metrics),
            samples,
            traces.of("collector"),
            clock);
    consumer =
        new EachConsumer(
            servers.amqp(),
            new EachPlan(
                new Topology.Bound(
                    CollectedNames.EXCHANGE, CollectedNames.QUEUE, CollectedNames.ROUTING_KEY),
                CollectedNames.DEAD,
                config.parallel(),
                WAITING,
                config.tries(),
                new Backoff(config.retryDelay(), config.maxRetryDelay())),
            around.apply(collector),
            counts(new AttemptStore(servers.redis(), CollectedNames.QUEUE, COUNTS_LIVE)),
            publisher,
            clock,
            metrics);
  }

  private static AttemptCounts counts(AttemptStore store) {
    return new AttemptCounts() {
      @Override
      public int failed(String message) {
        return store.failed(message);
      }

      @Override
      public void forget(String message) {
        store.forget(message);
      }
    };
  }

  @Override
  public String name() {
    return "collector";
  }

  @Override
  public void start() {
    consumer.start();
  }

  /// Gives the batches at hand a few seconds; what is not done by then stays in the queue.
  @Override
  public void stop() {
    consumer.stop();
    publisher.close();
    blobs.close();
  }

  /// How it goes.
  public HealthCheck health() {
    return consumer::check;
  }
}

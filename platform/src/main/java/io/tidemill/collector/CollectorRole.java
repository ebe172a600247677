package io.tidemill.collector;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.Topology;
import io.tidemill.amqp.consumer.MessageConsumer;
import io.tidemill.amqp.consumer.MessageHandler;
import io.tidemill.amqp.consumer.MessagePlan;
import io.tidemill.analytics.Analytics;
import io.tidemill.content.language.LanguageDetector;
import io.tidemill.contract.collected.CollectedNames;
import io.tidemill.observe.Traces;
import io.tidemill.redis.AttemptStore;
import io.tidemill.redis.Redis;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.Service;
import io.tidemill.trace.MessageSamples;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.UnaryOperator;

/// The collector role: wires [BatchCollector] to its queue and stores.
public final class CollectorRole implements Service {
  // Messages that may wait for a retry without blocking others.
  private static final int WAITING = 16;
  private static final Duration COUNTS_TTL = Duration.ofDays(1);

  public record Servers(Redis redis, AmqpConfig amqp, S3Config blobs) {}

  private final AmqpPublisher publisher;
  private final ObjectStore blobs;
  private final MessageConsumer consumer;

  public CollectorRole(
      CollectorConfig config,
      Servers servers,
      Analytics analytics,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    this(config, servers, analytics, traces, metrics, clock, UnaryOperator.identity());
  }

  /// @param around wraps the handler
  CollectorRole(
      CollectorConfig config,
      Servers servers,
      Analytics analytics,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock,
      UnaryOperator<MessageHandler> around) {
    publisher = new AmqpPublisher(servers.amqp(), "collector", metrics);
    blobs = new ObjectStore(servers.blobs());
    var store = analytics.batches();
    var samples = new MessageSamples(servers.redis(), clock);
    var collector =
        new BatchCollector(
            config,
            blobs,
            store,
            new PostAnalyzer(new LanguageDetector()),
            new ResultPublisher(config.resultsExchange(), publisher, store, samples),
            new CollectorMeters(metrics),
            samples,
            traces.of("collector"),
            clock);
    consumer =
        new MessageConsumer(
            servers.amqp(),
            plan(config, servers.redis()),
            around.apply(collector),
            publisher,
            clock,
            metrics);
  }

  // Each message announces a batch of its own: one at a time for each worker.
  private static MessagePlan plan(CollectorConfig config, Redis redis) {
    return new MessagePlan(
        CollectedNames.QUEUE,
        CollectedNames.DEAD,
        new Topology.Bound(
            CollectedNames.EXCHANGE, CollectedNames.QUEUE, CollectedNames.ROUTING_KEY),
        MessagePlan.Batch.of(1),
        config.tries(),
        new Backoff(config.retryDelay(), config.maxRetryDelay()),
        new MessagePlan.Requeued(
            config.parallel(), WAITING, new AttemptStore(redis, CollectedNames.QUEUE, COUNTS_TTL)));
  }

  @Override
  public String name() {
    return "collector";
  }

  @Override
  public void start() {
    consumer.start();
  }

  /// Gives running batches a few seconds; unfinished ones stay in the queue.
  @Override
  public void stop() {
    consumer.stop();
    publisher.close();
    blobs.close();
  }

  public HealthCheck health() {
    return consumer::check;
  }
}

package io.tidemill.gateway.crawl;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.crawl.CrawlOwners;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.gateway.EventStream;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// The gateway's side of contract C1 put together: requests out, responses in, crawls over HTTP.
public final class CrawlModule implements Service {
  private static final Set<String> TERMINAL =
      Arrays.stream(CrawlStatus.values())
          .filter(CrawlStatus::isTerminal)
          .map(CrawlStatus::wire)
          .collect(Collectors.toUnmodifiableSet());

  private final KafkaPublisher publisher;
  private final KeyedConsumer responses;
  private final Services services;
  private final CrawlRoutes routes;

  public CrawlModule(
      CrawlsConfig config,
      Redis redis,
      KafkaConfig kafka,
      StreamTail tail,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    var store = new CrawlStore(redis, config.keep(), clock);
    publisher = new KafkaPublisher(kafka, "gateway");
    responses =
        new KeyedConsumer(
            kafka,
            new KeyedSettings(CrawlNames.OUR_GATEWAYS, List.of(CrawlNames.RESPONSES))
                .withPredecessor(CrawlNames.GATEWAYS),
            new CrawlResponseConsumer(store, traces.of("gateway"), metrics)::handle,
            publisher,
            clock,
            metrics);
    var starter =
        new CrawlStarter(store, publisher, config.doubtAfter(), config.maxPerOwner(), clock);
    services = new Services(List.of(new CrawlReconciler(store, starter, config), responses));
    routes =
        new CrawlRoutes(
            starter,
            store,
            new CrawlOwners(redis),
            new EventStream(events(store), tail, config.heartbeat(), clock),
            metrics);
  }

  private static EventStream.Source events(CrawlStore store) {
    return new EventStream.Source(
        "id", CrawlNames::events, store::lastEvent, store::exists, TERMINAL);
  }

  /// `/api/crawls…`
  public CrawlRoutes routes() {
    return routes;
  }

  /// How the reading of responses goes.
  public HealthCheck health() {
    return () -> {
      if (!responses.isHealthy()) throw new IllegalStateException(responses.describe());
      return responses.describe();
    };
  }

  @Override
  public String name() {
    return "crawl module";
  }

  @Override
  public void start() {
    services.start();
  }

  @Override
  public void stop() {
    services.close();
    publisher.close();
  }
}

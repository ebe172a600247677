package io.tidemill.gateway.crawl;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.crawl.CrawlOptions;
import io.tidemill.contract.crawl.CrawlSubmission;
import io.tidemill.contract.crawl.Email;
import io.tidemill.crawl.CrawlStarts;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.http.Response;
import io.tidemill.http.Routes;
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
import java.util.List;
import java.util.Optional;

/// The gateway's side of contract C1 put together: requests out, responses in, crawls over HTTP.
public final class CrawlModule implements Service {
  private final KafkaPublisher publisher;
  private final KeyedConsumer responses;
  private final Services services;
  private final CrawlSubmissions submissions;
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
            new KeyedSettings(CrawlNames.GATEWAYS, List.of(CrawlNames.RESPONSES)),
            new CrawlResponseConsumer(store, traces.of("gateway"), metrics)::handle,
            publisher,
            clock,
            metrics);
    services = new Services(List.of(new CrawlReconciler(store, publisher, config), responses));
    submissions =
        new CrawlSubmissions(
            store, new CrawlStarts(store, publisher, config.doubtAfter(), clock), config, metrics);
    routes =
        new CrawlRoutes(
            submissions, store, new CrawlEvents(store, tail, config.heartbeat(), clock));
  }

  /// `/api/crawls…`
  public Routes routes() {
    return routes;
  }

  /// Has one page fetched for an owner, whether or not it was crawled a short time ago.
  ///
  /// @param key the same key again starts no second crawl
  public Response fetch(String owner, String url, String key) {
    try {
      var submission = new CrawlSubmission(Email.parse(owner), url, CrawlOptions.SINGLE_AGAIN);
      return submissions.submit(submission, Optional.of(key));
    } catch (IllegalArgumentException nobody) {
      return Response.problem(422, "nobody can own the crawl: " + nobody.getMessage());
    }
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
    return "crawl desk";
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

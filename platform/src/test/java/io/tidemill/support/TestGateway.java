package io.tidemill.support;

import io.tidemill.deadletter.DeadJobStore;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.StatusRoutes;
import io.tidemill.gateway.deadletter.DeadLetterRoutes;
import io.tidemill.gateway.job.JobModule;
import io.tidemill.gateway.mcp.McpConfig;
import io.tidemill.gateway.mcp.McpRoutes;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.job.BacklogReleaser;
import io.tidemill.job.JobCallStore;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.RedisHealth;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.service.Services;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The gateway role, wired as the product wires it.
public final class TestGateway implements JobPlatform.Part {
  private final JobModule module;
  private final Redis redis;
  private final Metrics metrics = new Metrics();
  private final HttpServer http;
  private final Services services;

  public TestGateway(String redisUrl, String... overrides) {
    var settings = Wiring.settings(redisUrl, List.of(overrides));
    var jobs = settings.section(JobsConfig.class);
    var clock = InstantSource.system();
    redis = new Redis(settings.section(RedisConfig.class));
    var store = new JobStore(redis, jobs, clock);
    var health = new RedisHealth(redis);
    var dead = new DeadJobStore(redis, jobs, clock);
    var tail = new StreamTail(redis, 2, metrics.registry());
    var compat = settings.section(CompatConfig.class);
    module = new JobModule(jobs, compat, redis, health, store, tail, metrics.registry(), clock);
    var routes = new ArrayList<>(module.routes());
    routes.add(
        new McpRoutes(
            settings.section(McpConfig.class),
            jobs,
            module.submitter(),
            new McpRoutes.Stores(store, module.tools(), new JobCallStore(redis), tail),
            "test"));
    routes.add(new DeadLetterRoutes(new DeadLetterCatalog(redis, jobs, clock, Map.of())));
    routes.add(
        new StatusRoutes(
            new JobQueueInspector(redis, jobs), dead, health, List.of("gateway"), "test"));
    http =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            routes,
            compat.problems(),
            metrics,
            new Traces(settings.section(ObserveConfig.class)),
            clock);
    // Tests decide when the queue's group comes into being, so that the module is not started.
    services =
        new Services(
            List.of(health, tail, new BacklogReleaser(store.backlog(), metrics.registry()), http));
    services.start();
  }

  /// Makes the queue and trims it once started, as in the product.
  public JobModule jobs() {
    return module;
  }

  public int port() {
    return http.port();
  }

  /// What a gauge shows.
  public double gauge(String name, String... tags) {
    return metrics.registry().get(name).tags(tags).gauge().value();
  }

  @Override
  public void close() {
    services.close();
    redis.close();
    metrics.close();
  }
}

package io.tidemill.support;

import io.tidemill.broker.streams.StreamTail;
import io.tidemill.gateway.JobEvents;
import io.tidemill.gateway.JobRoutes;
import io.tidemill.gateway.McpConfig;
import io.tidemill.gateway.McpRoutes;
import io.tidemill.gateway.StatusRoutes;
import io.tidemill.gateway.Submissions;
import io.tidemill.gateway.ToolRoutes;
import io.tidemill.gateway.dead.DeadRoutes;
import io.tidemill.gateway.dead.Letters;
import io.tidemill.http.ApiConfig;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.HttpServer;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.service.Services;
import io.tidemill.store.redis.CallStore;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.JobStore;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.LineKeeper;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.RedisConfig;
import io.tidemill.store.redis.RedisHealth;
import io.tidemill.store.redis.ToolStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The gateway role, wired as the product wires it.
public final class TestGateway implements JobPlatform.Part {
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
    var dead = new DeadJobs(redis, jobs, clock);
    var tail = new StreamTail(redis, 2, metrics.registry());
    var submissions = new Submissions(store, jobs, health, metrics.registry());
    var tools = new ToolStore(redis, jobs);
    var jobRoutes =
        new JobRoutes(jobs, submissions, store, new JobEvents(store, tail, jobs, clock));
    http =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            List.of(
                jobRoutes,
                new ToolRoutes(tools),
                new McpRoutes(
                    settings.section(McpConfig.class),
                    jobs,
                    jobRoutes,
                    new McpRoutes.Stores(store, tools, new CallStore(redis), tail),
                    "test"),
                new DeadRoutes(new Letters(redis, jobs, clock, Map.of())),
                new StatusRoutes(
                    new JobQueue(redis, jobs), dead, health, List.of("gateway"), "test")),
            metrics,
            new Traces(settings.section(ObserveConfig.class)),
            clock);
    services =
        new Services(List.of(health, tail, new LineKeeper(store.line(), metrics.registry()), http));
    services.start();
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

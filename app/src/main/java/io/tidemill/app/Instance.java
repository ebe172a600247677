package io.tidemill.app;

import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.tidemill.broker.streams.StreamSource;
import io.tidemill.broker.streams.StreamTail;
import io.tidemill.cli.Version;
import io.tidemill.config.Settings;
import io.tidemill.contract.job.JobNames;
import io.tidemill.fetch.FetchConfig;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.Names;
import io.tidemill.gateway.DeadRoutes;
import io.tidemill.gateway.JobEvents;
import io.tidemill.gateway.JobRoutes;
import io.tidemill.gateway.OpenApiRoutes;
import io.tidemill.gateway.StatusRoutes;
import io.tidemill.gateway.Submissions;
import io.tidemill.http.ApiConfig;
import io.tidemill.http.Health;
import io.tidemill.http.HealthCheck;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.HttpServer;
import io.tidemill.http.MetricsRoutes;
import io.tidemill.http.Routes;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.store.redis.Channel;
import io.tidemill.store.redis.DeadJobs;
import io.tidemill.store.redis.JobQueue;
import io.tidemill.store.redis.JobStore;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.RedisHealth;
import io.tidemill.worker.Handlers;
import io.tidemill.worker.HttpGetTool;
import io.tidemill.worker.JobWorker;
import io.tidemill.worker.WorkerConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// The roles of one process, wired to the endpoints given: made, started and stopped as one.
public final class Instance implements AutoCloseable {
  private static final int TAIL_CONNECTIONS = 2;

  private final Settings settings;
  private final Set<Role> roles;
  private final Endpoints endpoints;
  private final InstantSource clock;
  private final Metrics metrics = new Metrics();
  private final Traces traces;
  private final Redis redis;
  private final RedisHealth redisHealth;
  private final JobsConfig jobs;
  private final JobStore store;
  private final Fetcher fetcher;
  private final HttpServer http;
  private final Services services;

  Instance(Settings settings, Set<Role> roles, Endpoints endpoints, InstantSource clock) {
    this.settings = settings;
    this.roles = roles;
    this.endpoints = endpoints;
    this.clock = clock;
    traces = new Traces(settings.section(ObserveConfig.class));
    new DiskSpaceMetrics(settings.section(DataConfig.class).dir().toFile())
        .bindTo(metrics.registry());
    redis = new Redis(endpoints.redis());
    redisHealth = new RedisHealth(redis);
    jobs = settings.section(JobsConfig.class);
    store = new JobStore(redis, jobs, clock);
    fetcher =
        new Fetcher(
            settings.section(FetchConfig.class), List.of(), Names.system(), metrics.registry());

    var parts = new ArrayList<Service>(List.of(redisHealth));
    var checks = new LinkedHashMap<String, HealthCheck>();
    checks.put("redis", redisHealth::ping);
    if (roles.contains(Role.GATEWAY)) {
      var brokers = new Brokers(endpoints);
      parts.add(brokers);
      checks.putAll(brokers.checks());
    }
    var routes =
        new ArrayList<Routes>(List.of(new Health(checks, clock), new MetricsRoutes(metrics)));
    if (roles.contains(Role.WORKER)) addWorker(parts);
    if (roles.contains(Role.GATEWAY)) addGateway(parts, routes);
    http =
        new HttpServer(
            httpConfig(), settings.section(ApiConfig.class), routes, metrics, traces, clock);
    parts.add(http); // the last to start and the first to stop: nobody is let in too early
    services = new Services(parts);
  }

  private void addGateway(List<Service> parts, List<Routes> routes) {
    var tail = new StreamTail(redis, TAIL_CONNECTIONS, metrics.registry());
    parts.add(tail);
    var submissions = new Submissions(store, jobs, redisHealth, metrics.registry());
    routes.add(new JobRoutes(jobs, submissions, store, new JobEvents(store, tail, jobs, clock)));
    var dead = new DeadJobs(redis, jobs, clock);
    routes.add(new DeadRoutes(dead, jobs));
    routes.add(
        new StatusRoutes(
            new JobQueue(redis, jobs),
            dead,
            redisHealth,
            roles.stream().map(Role::wire).toList(),
            Version.current()));
    routes.add(new OpenApiRoutes(Version.current()));
    // The group exists before the first job does, whoever comes first (F22).
    parts.add(new GroupStart(source("gateway")));
  }

  private void addWorker(List<Service> parts) {
    var config = settings.section(WorkerConfig.class);
    var plugins = settings.section(DataConfig.class).plugins();
    var handlers = Handlers.find(plugins, List.of(new HttpGetTool(fetcher)));
    var source = source(WorkerName.unique());
    var worker = new JobWorker(config, source, store, handlers, traces, metrics.registry());
    parts.add(worker);
    parts.add(new Channel(redis, JobNames.CANCEL_CHANNEL, worker::cancel));
  }

  private StreamSource source(String consumer) {
    var lease = settings.section(WorkerConfig.class).lease();
    return new StreamSource(
        redis, jobs.stream(), jobs.group(), consumer, lease, metrics.registry());
  }

  // Without the gateway only health and metrics are served: several such processes share a machine.
  private HttpConfig httpConfig() {
    var config = settings.section(HttpConfig.class);
    var isDefault =
        settings.entries().stream()
            .anyMatch(entry -> entry.key().equals("http.port") && entry.source().equals("default"));
    return !roles.contains(Role.GATEWAY) && isDefault ? config.withPort(0) : config;
  }

  void start() {
    services.start();
  }

  Addresses addresses() {
    return new Addresses(
        http.url(),
        endpoints.kafka().bootstrap(),
        endpoints.redis().url(),
        endpoints.amqp().url(),
        endpoints.s3().endpoint());
  }

  Set<Role> roles() {
    return roles;
  }

  @Override
  public void close() {
    services.close();
    fetcher.close();
    redis.close();
    traces.close();
    metrics.close();
  }
}

package io.tidemill.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.JobHandler;
import io.tidemill.bench.raw.WireLoad;
import io.tidemill.bench.raw.WireProtocol;
import io.tidemill.config.Settings;
import io.tidemill.gateway.job.JobEvents;
import io.tidemill.gateway.job.JobRoutes;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobSubmitter;
import io.tidemill.job.JobsConfig;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.RedisHealth;
import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.servers.Ports;
import io.tidemill.servers.RedisServer;
import io.tidemill.trace.SpanWriter;
import io.tidemill.trace.TraceStore;
import io.tidemill.worker.HandlerRegistry;
import io.tidemill.worker.JobWorker;
import io.tidemill.worker.WorkerConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Gateway and worker on a Redis of their own, as the product wires them.
final class JobsRig implements AutoCloseable {
  private static final String MANY = "10000000";

  private final RedisServer server;
  private final Settings settings;
  private final Metrics metrics = new Metrics();
  private final SpanWriter spans;
  private final Traces traces;
  private final Redis redis;
  private final RedisHealth health;
  private final StreamTail tail;
  private final HttpServer http;
  private final JobStore store;
  private final InstantSource clock = InstantSource.system();

  JobsRig(Path data, boolean durable, Map<String, String> chosen) {
    server = new RedisServer(data, Ports.freeOr(0), "1gb", "always");
    server.start();
    var overrides =
        new HashMap<>(
            Map.of("redis.url", server.address(), "http.port", "0", "jobs.max-waiting", MANY));
    chosen.forEach((key, value) -> {
      if (key.startsWith("worker.") || key.equals("redis.connections")) overrides.put(key, value);
    });
    settings =
        Settings.load(
            null,
            Map.of(),
            overrides,
            List.of(
                RedisConfig.class,
                HttpConfig.class,
                ApiConfig.class,
                JobsConfig.class,
                WorkerConfig.class,
                ObserveConfig.class));
    redis = new Redis(settings.section(RedisConfig.class));
    var observe = settings.section(ObserveConfig.class);
    spans = new SpanWriter(new TraceStore(redis, observe, clock), "bench", metrics.registry());
    traces = new Traces(observe, spans, clock);
    if (!durable) tell("CONFIG", "SET", "appendonly", "no");
    health = new RedisHealth(redis);
    tail = new StreamTail(redis, 1, metrics.registry());
    store = new JobStore(redis, jobs(), clock);
    var submitter = new JobSubmitter(store, jobs(), health, metrics.registry());
    var events = new JobEvents(store, tail, jobs(), clock);
    http =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            List.of(new JobRoutes(jobs(), submitter, store, events)),
            metrics,
            traces,
            clock);
    spans.start();
    tail.start();
    source("bench").prepare();
    http.start();
  }

  private void tell(String... command) {
    new WireLoad(redisAddress(), 2)
        .perSecond(2, WireProtocol.redis(_ -> List.of(command), "+OK\r\n"));
  }

  /// Forgets every job, so that no measurement pays for the one before.
  void clear() {
    tell("FLUSHALL", "SYNC");
    source("bench").prepare();
  }

  JobsConfig jobs() {
    return settings.section(JobsConfig.class);
  }

  JobWorker worker(String name, JobHandler handler) {
    return new JobWorker(
        settings.section(WorkerConfig.class),
        source(name),
        store,
        HandlerRegistry.of(List.of(handler)),
        traces,
        new SimpleMeterRegistry()); // each worker's gauges are its own
  }

  StreamConsumer source(String consumer) {
    return new StreamConsumer(
        redis,
        jobs().stream(),
        jobs().group(),
        consumer,
        Duration.ofSeconds(15),
        metrics.registry());
  }

  JobQueueInspector queue() {
    return new JobQueueInspector(redis, jobs());
  }

  InetSocketAddress httpAddress() {
    return new InetSocketAddress(
        InetAddress.getLoopbackAddress(), URI.create(http.url()).getPort());
  }

  InetSocketAddress redisAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  @Override
  public void close() {
    http.stop();
    tail.stop();
    spans.stop();
    redis.close();
    traces.close();
    metrics.close();
    server.close();
  }
}

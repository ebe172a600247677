package io.tidemill.bench;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.JobHandler;
import io.tidemill.bench.raw.WireLoad;
import io.tidemill.bench.raw.WireProtocol;
import io.tidemill.config.Settings;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.job.JobModule;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.job.JobQueue;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobStore;
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
import io.tidemill.trace.MessageSamples;
import io.tidemill.trace.SpanWriter;
import io.tidemill.trace.TraceStore;
import io.tidemill.worker.HandlerRegistry;
import io.tidemill.worker.WorkerConfig;
import io.tidemill.worker.WorkerRole;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The job routes and workers of the product on a local Redis.
final class JobsRig implements AutoCloseable {
  private static final String MANY = "10000000";

  private final RedisServer server;
  private final Settings settings;
  private final Metrics metrics = new Metrics();
  private final SpanWriter spans;
  private final Traces traces;
  private final Redis redis;
  private final StreamTail tail;
  private final JobModule module;
  private final HttpServer http;
  private final JobStore store;
  private final InstantSource clock = InstantSource.system();

  JobsRig(Path data, boolean durable, Map<String, String> chosen) {
    server = new RedisServer(data, Ports.freeOr(0), "1gb", "always");
    server.start();
    var values = BenchSettings.chosen(chosen, "worker.", "redis.connections");
    values.put("redis.url", server.address());
    values.put("http.port", "0");
    values.put("jobs.max-waiting", MANY);
    settings =
        BenchSettings.load(
            values,
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
    if (!durable) send("CONFIG", "SET", "appendonly", "no");
    var health = new RedisHealth(redis);
    tail = new StreamTail(redis, 1, metrics.registry());
    store = new JobStore(redis, jobs(), clock);
    var compat = new CompatConfig(false);
    module = new JobModule(jobs(), compat, redis, health, store, tail, metrics.registry(), clock);
    http =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            module.routes(),
            metrics,
            traces,
            clock);
    spans.start();
    tail.start();
    module.start();
    http.start();
  }

  private void send(String... command) {
    new WireLoad(redisAddress(), 2)
        .perSecond(2, WireProtocol.redis(_ -> List.of(command), "+OK\r\n"));
  }

  /// Deletes all jobs, so that no measurement pays for the one before.
  void clear() {
    send("FLUSHALL", "SYNC");
    try (var queue = source("clear")) {
      queue.prepare(); // the stream and its group went, too
    }
  }

  JobsConfig jobs() {
    return settings.section(JobsConfig.class);
  }

  WorkerRole worker(String name, JobHandler handler) {
    return new WorkerRole(
        new WorkerRole.Config(settings.section(WorkerConfig.class), jobs(), name),
        redis,
        new JobQueue(redis, jobs(), clock),
        new HandlerRegistry(List.of(handler)),
        MessageSamples.off(),
        traces,
        new SimpleMeterRegistry()); // each worker's gauges are its own
  }

  /// The queue without a worker around it.
  StreamConsumer source(String consumer) {
    var lease = settings.section(WorkerConfig.class).lease();
    return new StreamConsumer(
        redis, jobs().stream(), jobs().group(), consumer, lease, metrics.registry());
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
    module.stop();
    tail.stop();
    spans.stop();
    redis.close();
    traces.close();
    metrics.close();
    server.close();
  }
}

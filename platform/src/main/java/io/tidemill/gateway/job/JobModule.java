package io.tidemill.gateway.job;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.ToolRoutes;
import io.tidemill.http.Routes;
import io.tidemill.job.JobQueueInspector;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobSubmitter;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.ToolRegistry;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisException;
import io.tidemill.redis.RedisHealth;
import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.service.PeriodicTask;
import io.tidemill.service.Service;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The gateway's side of contract C3 put together: jobs and tools over HTTP.
public final class JobModule implements Service {
  private static final Logger log = LoggerFactory.getLogger(JobModule.class);
  private static final Duration TRIM_EVERY = Duration.ofSeconds(2);

  private final JobSubmitter submitter;
  private final ToolRegistry tools;
  private final List<Routes> routes = new ArrayList<>();
  private final StreamConsumer queue;
  private final PeriodicTask trimmer;

  public JobModule(
      JobsConfig config,
      CompatConfig compat,
      Redis redis,
      RedisHealth health,
      JobStore store,
      StreamTail tail,
      MeterRegistry metrics,
      InstantSource clock) {
    submitter = new JobSubmitter(store, config, health, metrics);
    tools = new ToolRegistry(redis, config);
    var events = new JobEvents(store, tail, config, clock);
    var inspector = new JobQueueInspector(redis, config);
    routes.add(
        compat.originals()
            ? new OriginalJobRoutes(config, submitter, store, events, inspector)
            : new JobRoutes(config, submitter, store, events));
    routes.add(new ToolRoutes(tools));
    if (compat.originals()) {
      routes.add(new QueueHealthRoutes(inspector, config, redis.address(), clock));
    }
    // It takes no entries, so that its lease does not matter.
    queue =
        new StreamConsumer(
            redis, config.stream(), config.group(), "gateway", Duration.ZERO, metrics);
    // Our workers trim, too; workers of another make only acknowledge (C3.9).
    trimmer = new PeriodicTask("queue trimmer", TRIM_EVERY, this::trim);
  }

  /// `/v1/jobs…` and `/v1/tools`
  public List<Routes> routes() {
    return List.copyOf(routes);
  }

  public JobSubmitter submitter() {
    return submitter;
  }

  public ToolRegistry tools() {
    return tools;
  }

  @Override
  public String name() {
    return "jobs over HTTP";
  }

  /// Creates the stream and its group before the first job is submitted (F22).
  @Override
  public void start() {
    queue.prepare();
    trimmer.start();
  }

  private void trim() {
    try {
      var _ = queue.trim();
    } catch (RedisException later) {
      log.debug("the queue is not trimmed: {}", later.getMessage());
    }
  }

  @Override
  public void stop() {
    trimmer.stop();
    queue.close();
  }
}

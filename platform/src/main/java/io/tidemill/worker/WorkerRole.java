package io.tidemill.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobTask;
import io.tidemill.job.JobQueue;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.ToolRegistry;
import io.tidemill.observe.Traces;
import io.tidemill.redis.PubSubChannel;
import io.tidemill.redis.Redis;
import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.trace.MessageSamples;
import java.util.ArrayList;
import java.util.List;

/// The worker role put together: jobs from the queue to their handlers, cancels, announced tools.
public final class WorkerRole implements Service {
  /// @param consumer the unique name of this worker, which holds its leases
  public record Config(WorkerConfig worker, JobsConfig jobs, String consumer) {}

  private final Services services;

  public WorkerRole(
      Config config,
      Redis redis,
      JobQueue queue,
      HandlerRegistry handlers,
      MessageSamples samples,
      Traces traces,
      MeterRegistry metrics) {
    var jobs = config.jobs();
    var source =
        new StreamConsumer(
            redis,
            jobs.stream(),
            jobs.group(),
            config.consumer(),
            config.worker().lease(),
            metrics);
    var worker = new JobWorker(config.worker(), source, queue, handlers, traces, metrics, samples);
    var parts = new ArrayList<Service>(List.of(worker));
    parts.add(new PubSubChannel(redis, JobNames.CANCEL_CHANNEL, worker::cancel));
    if (config.worker().tasks().contains(JobTask.TOOL.wire())) {
      parts.add(new ToolRegistry(redis, jobs).announcer(handlers.tools()));
    }
    services = new Services(parts);
  }

  @Override
  public String name() {
    return "worker role";
  }

  @Override
  public void start() {
    services.start();
  }

  @Override
  public void stop() {
    services.close();
  }
}

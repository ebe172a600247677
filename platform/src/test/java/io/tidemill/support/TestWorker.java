package io.tidemill.support;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobTask;
import io.tidemill.job.BacklogReleaser;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.job.ToolRegistry;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.LlmConfig;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.PubSubChannel;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.stream.StreamConsumer;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.worker.HandlerRegistry;
import io.tidemill.worker.JobWorker;
import io.tidemill.worker.ToolAnnouncer;
import io.tidemill.worker.WorkerConfig;
import io.tidemill.worker.ai.AiHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The worker role, wired as the product wires it.
public final class TestWorker implements JobPlatform.Part {
  private final Redis redis;
  private final MeterRegistry metrics = new SimpleMeterRegistry();
  private final LanguageModel model;
  private final Services services;

  public TestWorker(String redisUrl, String consumer, String... overrides) {
    var settings = Wiring.settings(redisUrl, List.of(overrides));
    var jobs = settings.section(JobsConfig.class);
    var config = settings.section(WorkerConfig.class);
    redis = new Redis(settings.section(RedisConfig.class));
    model = new LanguageModel(settings.section(LlmConfig.class), InstantSource.system(), metrics);
    var source =
        new StreamConsumer(redis, jobs.stream(), jobs.group(), consumer, config.lease(), metrics);
    var store = new JobStore(redis, jobs, InstantSource.system());
    var handlers =
        HandlerRegistry.find(Path.of("no-plugins-here"), List.of(), AiHandlers.of(model));
    var worker =
        new JobWorker(
            config,
            source,
            store,
            handlers,
            new Traces(settings.section(ObserveConfig.class)),
            metrics);
    var all = new ArrayList<Service>();
    all.add(new BacklogReleaser(store.line(), metrics));
    all.add(new PubSubChannel(redis, JobNames.CANCEL_CHANNEL, worker::cancel));
    all.add(worker);
    if (config.tasks().contains(JobTask.TOOL.wire())) {
      all.add(new ToolAnnouncer(new ToolRegistry(redis, jobs), handlers.tools()));
    }
    services = new Services(all);
    services.start();
  }

  /// How many deliveries ended that way.
  public double deliveries(String end) {
    var counter = metrics.find("worker.deliveries").tag("end", end).counter();
    return counter == null ? 0 : counter.count();
  }

  @Override
  public void close() {
    services.close();
    model.close();
    redis.close();
  }
}

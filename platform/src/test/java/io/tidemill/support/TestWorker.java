package io.tidemill.support;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.broker.streams.StreamSource;
import io.tidemill.contract.job.JobNames;
import io.tidemill.contract.job.JobTask;
import io.tidemill.llm.LanguageModel;
import io.tidemill.llm.LlmConfig;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.store.redis.Channel;
import io.tidemill.store.redis.JobStore;
import io.tidemill.store.redis.JobsConfig;
import io.tidemill.store.redis.LineKeeper;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.RedisConfig;
import io.tidemill.store.redis.ToolStore;
import io.tidemill.worker.Handlers;
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
        new StreamSource(redis, jobs.stream(), jobs.group(), consumer, config.lease(), metrics);
    var store = new JobStore(redis, jobs, InstantSource.system());
    var handlers = Handlers.find(Path.of("no-plugins-here"), List.of(), AiHandlers.of(model));
    var worker =
        new JobWorker(
            config,
            source,
            store,
            handlers,
            new Traces(settings.section(ObserveConfig.class)),
            metrics);
    var all = new ArrayList<Service>();
    all.add(new LineKeeper(store.line(), metrics));
    all.add(new Channel(redis, JobNames.CANCEL_CHANNEL, worker::cancel));
    all.add(worker);
    if (config.tasks().contains(JobTask.TOOL.wire())) {
      all.add(new ToolAnnouncer(new ToolStore(redis, jobs), handlers.tools()));
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

package io.tidemill.processor;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.api.TaskType;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.StartAt;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.observe.Traces;
import io.tidemill.processor.step.StepRegistry;
import io.tidemill.redis.PubSubChannel;
import io.tidemill.redis.Redis;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.OpenClients;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.ReportQueue;
import io.tidemill.workflow.WorkflowsConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The engine of the processor role: events in, workflows and tasks run, events out.
public final class ExecutionProcessor implements Service {
  private static final int INTAKE_AT_ONCE = 256;

  /// @param owner a name of this process that no other has
  public record Config(ProcessorConfig processor, WorkflowsConfig flows, String owner) {}

  /// What it can do.
  ///
  /// @param types of tasks, by name
  public record Capabilities(
      StepRegistry steps, Map<String, TaskType> types, StepRecords records) {}

  private final Config config;
  private final Capabilities capabilities;
  private final Traces traces;
  private final MeterRegistry metrics;
  private final KafkaPublisher kafka;
  private final PublishedRecordFinder finder;
  private final KeyedConsumer intake;
  private final ExecutionRunner workflows;
  private final ExecutionRunner tasks;
  private final Services services;
  private final OpenClients clients = new OpenClients();

  /// With C2.5's place in the consumer group.
  public ExecutionProcessor(
      Config config,
      Redis redis,
      KafkaConfig kafka,
      Capabilities capabilities,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    this(config, redis, kafka, KeyedSettings.MEMBERSHIP, capabilities, traces, metrics, clock);
  }

  ExecutionProcessor(
      Config config,
      Redis redis,
      KafkaConfig bootstrap,
      KeyedSettings.Membership membership,
      Capabilities capabilities,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    this.config = config;
    this.capabilities = capabilities;
    this.traces = traces.of("processor");
    this.metrics = metrics;
    kafka = new KafkaPublisher(bootstrap, "processor");
    finder = new PublishedRecordFinder(bootstrap);
    var relay = new OutboxRelay(new ExecutionPublisher(kafka, metrics), finder);
    var silence = config.processor().foreignSilence();
    var reports = config.processor().isReporting();
    var workflowQueue = new ExecutionQueue(redis, ExecutionKind.WORKFLOW, clock, silence, reports);
    var taskQueue = new ExecutionQueue(redis, ExecutionKind.TASK, clock, silence, reports);
    workflows = runner(workflowQueue, relay, clock, config.processor().workflows());
    tasks = runner(taskQueue, relay, clock, config.processor().tasks());
    var store = new ExecutionStore(redis, ExecutionKind.TASK, config.flows(), clock);
    intake =
        new KeyedConsumer(
            bootstrap,
            new KeyedSettings(
                    ExecutionNames.PROCESSORS,
                    List.of(ExecutionNames.WORKFLOWS, ExecutionNames.TASKS))
                .withStartAt(StartAt.LATEST)
                .withInFlight(INTAKE_AT_ONCE)
                .withMembership(membership),
            new ExecutionIntake(workflowQueue, taskQueue, store, this.traces, metrics),
            kafka,
            clock,
            metrics);
    var parts =
        new ArrayList<Service>(
            List.of(
                workflows,
                tasks,
                sweeper(new ExecutionStore(redis, ExecutionKind.WORKFLOW, config.flows(), clock)),
                sweeper(store),
                channel(redis, ExecutionKind.WORKFLOW, ExecutionStore.WAKE, _ -> workflows.wake()),
                channel(redis, ExecutionKind.TASK, ExecutionStore.WAKE, _ -> tasks.wake()),
                channel(redis, ExecutionKind.WORKFLOW, ExecutionStore.CANCELS, workflows::cancel),
                channel(redis, ExecutionKind.TASK, ExecutionStore.CANCELS, tasks::cancel),
                intake));
    if (reports) parts.addAll(0, reporters(redis, clock)); // stopped last: the ends are reported
    services = new Services(parts);
  }

  private ExecutionRunner runner(
      ExecutionQueue queue, OutboxRelay relay, InstantSource clock, int slots) {
    var metadata =
        Json.object().put("source", ExecutionNames.PROCESSOR).put("processorId", config.owner());
    var settings = config.processor();
    return new ExecutionRunner(
        new Execution.Services(
            queue,
            relay,
            clock,
            metadata,
            settings,
            capabilities,
            settings.retrySchedule(),
            traces,
            metrics),
        new ExecutionRunner.Limits(slots, settings.lease(), settings.stopTimeout(), config.owner()),
        metrics);
  }

  private List<Service> reporters(Redis redis, InstantSource clock) {
    var settings = config.processor();
    var client = clients.add(new ReportClient(settings.reportUrl(), settings.reportKey()));
    return Stream.of(ExecutionKind.values())
        .map(kind -> new StatusReporter(new ReportQueue(redis, kind, clock), client, metrics))
        .map(StatusReporter::service)
        .toList();
  }

  private Service sweeper(ExecutionStore store) {
    return new ExecutionSweeper(store, capabilities.records()).service();
  }

  private static PubSubChannel channel(
      Redis redis, ExecutionKind kind, String name, Consumer<String> listener) {
    return new PubSubChannel(redis, kind.shared(name), listener);
  }

  @Override
  public String name() {
    return "processor";
  }

  @Override
  public void start() {
    services.start();
  }

  @Override
  public void stop() {
    workflows.pause();
    tasks.pause();
    services.close();
    clients.close();
    finder.close();
    kafka.close();
  }

  /// How the reading of events and the running of what they ask for goes.
  public HealthCheck health() {
    return () -> {
      if (!intake.isHealthy()) throw new IllegalStateException(intake.describe());
      if (!workflows.isHealthy()) throw new IllegalStateException(workflows.describe());
      if (!tasks.isHealthy()) throw new IllegalStateException(tasks.describe());
      return "%s; workflows: %s; tasks: %s"
          .formatted(intake.describe(), workflows.describe(), tasks.describe());
    };
  }
}

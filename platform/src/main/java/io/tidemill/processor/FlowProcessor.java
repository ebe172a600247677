package io.tidemill.processor;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.broker.kafka.KeyedConsumer;
import io.tidemill.broker.kafka.KeyedSettings;
import io.tidemill.broker.kafka.Lookback;
import io.tidemill.broker.kafka.Publisher;
import io.tidemill.broker.kafka.StartAt;
import io.tidemill.contract.Json;
import io.tidemill.contract.flow.FlowEvent.TaskCreated;
import io.tidemill.contract.flow.FlowEvent.TaskFailed;
import io.tidemill.contract.flow.FlowEvent.WorkflowCreated;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.contract.flow.FlowStatus;
import io.tidemill.flow.FlowPublisher;
import io.tidemill.http.HealthCheck;
import io.tidemill.observe.LogContext;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.processor.api.Step;
import io.tidemill.processor.api.TaskType;
import io.tidemill.processor.steps.Steps;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.store.redis.Channel;
import io.tidemill.store.redis.FlowQueue;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.Redis;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The engine of the processor role: events in, workflows and tasks run, events out.
public final class FlowProcessor implements Service {
  private static final Logger log = LoggerFactory.getLogger(FlowProcessor.class);
  private static final int INTAKE_AT_ONCE = 256;

  /// @param owner a name of this process that no other has
  public record Config(ProcessorConfig processor, FlowsConfig flows, String owner) {}

  /// What it can do.
  ///
  /// @param types of tasks, by name
  public record Skills(Steps steps, Map<String, TaskType> types, StepRecords records) {}

  private final Config config;
  private final Skills skills;
  private final Traces traces;
  private final MeterRegistry metrics;
  private final RetryPauses pauses;
  private final Publisher kafka;
  private final Lookback lookback;
  private final KeyedConsumer intake;
  private final FlowRunner workflows;
  private final FlowRunner tasks;
  private final Services services;

  /// With C2.5's place in the consumer group.
  public FlowProcessor(
      Config config,
      Redis redis,
      KafkaConfig kafka,
      Skills skills,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    this(config, redis, kafka, KeyedSettings.MEMBERSHIP, skills, traces, metrics, clock);
  }

  FlowProcessor(
      Config config,
      Redis redis,
      KafkaConfig bootstrap,
      KeyedSettings.Membership membership,
      Skills skills,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    this.config = config;
    this.skills = skills;
    this.traces = traces.of("processor");
    this.metrics = metrics;
    pauses = config.processor().retryPauses();
    kafka = new Publisher(bootstrap, "processor");
    lookback = new Lookback(bootstrap);
    var relay = new Relay(new FlowPublisher(kafka, metrics), lookback);
    var silence = config.processor().foreignSilence();
    var workflowQueue = new FlowQueue(redis, FlowKind.WORKFLOW, clock, silence);
    var taskQueue = new FlowQueue(redis, FlowKind.TASK, clock, silence);
    workflows = runner(workflowQueue, relay, clock, this::workflow, config.processor().workflows());
    tasks = runner(taskQueue, relay, clock, this::task, config.processor().tasks());
    var store = new FlowStore(redis, FlowKind.TASK, config.flows(), clock);
    intake =
        new KeyedConsumer(
            bootstrap,
            new KeyedSettings(FlowNames.PROCESSORS, List.of(FlowNames.WORKFLOWS, FlowNames.TASKS))
                .withStartAt(StartAt.LATEST)
                .withInFlight(INTAKE_AT_ONCE)
                .withMembership(membership),
            new FlowIntake(workflowQueue, taskQueue, store, this.traces, metrics),
            kafka,
            clock,
            metrics);
    services =
        new Services(
            List.of(
                workflows,
                tasks,
                sweeper(new FlowStore(redis, FlowKind.WORKFLOW, config.flows(), clock)),
                sweeper(store),
                channel(redis, FlowKind.WORKFLOW, FlowStore.WAKE, _ -> workflows.wake()),
                channel(redis, FlowKind.TASK, FlowStore.WAKE, _ -> tasks.wake()),
                channel(redis, FlowKind.WORKFLOW, FlowStore.CANCELS, workflows::cancel),
                channel(redis, FlowKind.TASK, FlowStore.CANCELS, tasks::cancel),
                intake));
  }

  private FlowRunner runner(
      FlowQueue queue, Relay relay, InstantSource clock, FlowRunner.Work work, int slots) {
    var metadata =
        Json.object().put("source", FlowNames.PROCESSOR).put("processorId", config.owner());
    var settings = config.processor();
    return new FlowRunner(
        new RunningFlow.Desk(queue, relay, clock, metadata, settings.repeatable()),
        work,
        new FlowRunner.Limits(slots, settings.lease(), settings.stopTimeout(), config.owner()),
        metrics);
  }

  private Service sweeper(FlowStore store) {
    return new FlowSweeper(store, skills.records()).service();
  }

  private static Channel channel(
      Redis redis, FlowKind kind, String name, java.util.function.Consumer<String> listener) {
    return new Channel(redis, kind.shared(name), listener);
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
    workflows.rest();
    tasks.rest();
    services.close();
    lookback.close();
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

  private FlowRunner.Run workflow(RunningFlow flow) {
    var span = "workflow " + flow.field("name");
    return new InContext(flow, SpanKind.STEP, span, new WorkflowRun(new Workflows(), flow));
  }

  private FlowRunner.Run task(RunningFlow flow) {
    var span = "task " + flow.field("type");
    return new InContext(flow, SpanKind.TASK, span, new TaskRun(new Tasks(), flow));
  }

  // With the id in every log line, and as a part of the trace that asked for it.
  private final class InContext implements FlowRunner.Run {
    private final RunningFlow flow;
    private final SpanKind kind;
    private final String span;
    private final FlowRunner.Run run;

    InContext(RunningFlow flow, SpanKind kind, String span, FlowRunner.Run run) {
      this.flow = flow;
      this.kind = kind;
      this.span = span;
      this.run = run;
    }

    @Override
    public void run() {
      inContext(run::run);
    }

    @Override
    public void callOff() {
      inContext(run::callOff);
    }

    @Override
    public void late() {
      inContext(run::late);
    }

    private void inContext(Runnable body) {
      try (var _ = LogContext.with(flow.kind().idField(), flow.id())) {
        traces.inSpan(
            kind,
            span,
            flow.traceparent().orElse(null),
            () -> {
              if (flow.status() == FlowStatus.PENDING) Traces.about(flow.kind().wire(), flow.id());
              body.run();
              return null;
            });
      }
    }
  }

  // The log line, whose id is in the context already, and the figures of C2.11.
  private void ended(RunningFlow flow, String eventType, Duration took, boolean success) {
    Traces.about(flow.kind().wire(), flow.id());
    if (!success) Traces.fail(eventType.substring(0, eventType.indexOf('.')) + " failed");
    Timer.builder("flow.processing")
        .description("From the start of a workflow or an attempt at a task to its end")
        .tag("kind", flow.kind().wire())
        .tag("success", String.valueOf(success))
        .publishPercentiles(0.5, 0.95, 0.99)
        .register(metrics)
        .record(took.toMillis(), TimeUnit.MILLISECONDS);
    log.atInfo()
        .addKeyValue("topic", flow.kind().topic())
        .addKeyValue("eventType", eventType)
        .addKeyValue("processingTime", took.toMillis())
        .addKeyValue("success", success)
        .log("Event processed");
  }

  private final class Workflows implements WorkflowRun.Kit {
    @Override
    public Optional<Step> step(String name) {
      return skills.steps().named(name);
    }

    @Override
    public String stepNames() {
      return String.join(", ", skills.steps().names());
    }

    @Override
    public StepRecords records() {
      return skills.records();
    }

    @Override
    public ProcessorConfig config() {
      return config.processor();
    }

    @Override
    public void ended(RunningFlow flow, Duration took, boolean success) {
      FlowProcessor.this.ended(flow, WorkflowCreated.TYPE, took, success);
    }
  }

  private final class Tasks implements TaskRun.Kit {
    @Override
    public Optional<TaskType> type(String name) {
      return Optional.ofNullable(skills.types().get(name));
    }

    @Override
    public String typeNames() {
      return String.join(", ", new TreeSet<>(skills.types().keySet()));
    }

    @Override
    public RetryPauses pauses() {
      return pauses;
    }

    @Override
    public ProcessorConfig config() {
      return config.processor();
    }

    @Override
    public void ended(RunningFlow flow, Duration took, boolean success) {
      var first = FlowRecords.number(flow.record(), "retryCount") == 0;
      FlowProcessor.this.ended(flow, first ? TaskCreated.TYPE : TaskFailed.TYPE, took, success);
    }
  }
}

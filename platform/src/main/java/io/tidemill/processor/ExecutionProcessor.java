package io.tidemill.processor;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemill.api.Step;
import io.tidemill.api.TaskType;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionEvent.TaskFailed;
import io.tidemill.contract.workflow.ExecutionEvent.WorkflowCreated;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.StartAt;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.observe.LogContext;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.processor.step.StepRegistry;
import io.tidemill.redis.PubSubChannel;
import io.tidemill.redis.Redis;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
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
public final class ExecutionProcessor implements Service {
  private static final Logger log = LoggerFactory.getLogger(ExecutionProcessor.class);
  private static final int INTAKE_AT_ONCE = 256;

  /// @param owner a name of this process that no other has
  public record Config(ProcessorConfig processor, WorkflowsConfig flows, String owner) {}

  /// What it can do.
  ///
  /// @param types of tasks, by name
  public record Skills(StepRegistry steps, Map<String, TaskType> types, StepRecords records) {}

  private final Config config;
  private final Skills skills;
  private final Traces traces;
  private final MeterRegistry metrics;
  private final RetrySchedule pauses;
  private final KafkaPublisher kafka;
  private final PublishedRecordFinder lookback;
  private final KeyedConsumer intake;
  private final ExecutionRunner workflows;
  private final ExecutionRunner tasks;
  private final Services services;

  /// With C2.5's place in the consumer group.
  public ExecutionProcessor(
      Config config,
      Redis redis,
      KafkaConfig kafka,
      Skills skills,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    this(config, redis, kafka, KeyedSettings.MEMBERSHIP, skills, traces, metrics, clock);
  }

  ExecutionProcessor(
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
    kafka = new KafkaPublisher(bootstrap, "processor");
    lookback = new PublishedRecordFinder(bootstrap);
    var relay = new OutboxRelay(new ExecutionPublisher(kafka, metrics), lookback);
    var silence = config.processor().foreignSilence();
    var workflowQueue = new ExecutionQueue(redis, ExecutionKind.WORKFLOW, clock, silence);
    var taskQueue = new ExecutionQueue(redis, ExecutionKind.TASK, clock, silence);
    workflows = runner(workflowQueue, relay, clock, this::workflow, config.processor().workflows());
    tasks = runner(taskQueue, relay, clock, this::task, config.processor().tasks());
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
    services =
        new Services(
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
  }

  private ExecutionRunner runner(
      ExecutionQueue queue,
      OutboxRelay relay,
      InstantSource clock,
      ExecutionRunner.Work work,
      int slots) {
    var metadata =
        Json.object().put("source", ExecutionNames.PROCESSOR).put("processorId", config.owner());
    var settings = config.processor();
    return new ExecutionRunner(
        new Execution.Services(queue, relay, clock, metadata, settings.repeatable()),
        work,
        new ExecutionRunner.Limits(slots, settings.lease(), settings.stopTimeout(), config.owner()),
        metrics);
  }

  private Service sweeper(ExecutionStore store) {
    return new ExecutionSweeper(store, skills.records()).service();
  }

  private static PubSubChannel channel(
      Redis redis, ExecutionKind kind, String name, java.util.function.Consumer<String> listener) {
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

  private ExecutionRunner.Run workflow(Execution flow) {
    var span = "workflow " + flow.field("name");
    return new InContext(flow, SpanKind.STEP, span, new WorkflowRun(new Workflows(), flow));
  }

  private ExecutionRunner.Run task(Execution flow) {
    var span = "task " + flow.field("type");
    return new InContext(flow, SpanKind.TASK, span, new TaskRun(new Tasks(), flow));
  }

  // With the id in every log line, and as a part of the trace that asked for it.
  private final class InContext implements ExecutionRunner.Run {
    private final Execution flow;
    private final SpanKind kind;
    private final String span;
    private final ExecutionRunner.Run run;

    InContext(Execution flow, SpanKind kind, String span, ExecutionRunner.Run run) {
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
    public void cancel() {
      inContext(run::cancel);
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
              if (flow.status() == ExecutionStatus.PENDING)
                Traces.about(flow.kind().wire(), flow.id());
              body.run();
              return null;
            });
      }
    }
  }

  // The log line, whose id is in the context already, and the figures of C2.11.
  private void ended(Execution flow, String eventType, Duration took, boolean success) {
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

  private final class Workflows implements WorkflowRun.StepServices {
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
    public void ended(Execution flow, Duration took, boolean success) {
      ExecutionProcessor.this.ended(flow, WorkflowCreated.TYPE, took, success);
    }
  }

  private final class Tasks implements TaskRun.TaskTypes {
    @Override
    public Optional<TaskType> type(String name) {
      return Optional.ofNullable(skills.types().get(name));
    }

    @Override
    public String typeNames() {
      return String.join(", ", new TreeSet<>(skills.types().keySet()));
    }

    @Override
    public RetrySchedule pauses() {
      return pauses;
    }

    @Override
    public ProcessorConfig config() {
      return config.processor();
    }

    @Override
    public void ended(Execution flow, Duration took, boolean success) {
      var first = ExecutionRecords.number(flow.record(), "retryCount") == 0;
      ExecutionProcessor.this.ended(
          flow, first ? TaskCreated.TYPE : TaskFailed.TYPE, took, success);
    }
  }
}

package io.tidemill.gateway.workflow;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.EventStream;
import io.tidemill.gateway.FormRoutes;
import io.tidemill.gateway.file.ResultFiles;
import io.tidemill.http.Routes;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.StartAt;
import io.tidemill.kafka.consumer.KeyedConsumer;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisClock;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.service.HealthCheck;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionStarter;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import tools.jackson.databind.node.ObjectNode;

/// The gateway's side of contract C2 put together: workflows and tasks over HTTP, their `created`
/// events out, what others say about them in.
public final class WorkflowModule implements Service {
  private final KafkaPublisher publisher;
  private final KeyedConsumer foreign;
  private final Services services;
  private final Map<ExecutionKind, ExecutionStore> stores = new EnumMap<>(ExecutionKind.class);
  private final Map<ExecutionKind, ExecutionRoutes> executions = new EnumMap<>(ExecutionKind.class);
  private final Map<ExecutionKind, ExecutionStarter> starters = new EnumMap<>(ExecutionKind.class);
  private final List<Routes> routes = new ArrayList<>();

  public WorkflowModule(
      WorkflowsConfig config,
      CompatConfig compat,
      Redis redis,
      KafkaConfig kafka,
      StreamTail tail,
      ResultFiles files,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    var time = new RedisClock(redis, clock);
    var types = new HashSet<>(ExecutionRecords.TASK_TYPES);
    types.addAll(config.taskTypes());
    routes.add(new FormRoutes(types));
    if (compat.originals()) routes.add(new ServiceHealthRoutes(clock));
    publisher = new KafkaPublisher(kafka, "gateway-flows");
    var events = new ExecutionPublisher(publisher, metrics);
    var kept = new ArrayList<ExecutionReconciler.Kept>();
    for (var kind : ExecutionKind.values()) {
      var store = new ExecutionStore(redis, kind, config, time);
      stores.put(kind, store);
      var starter = new ExecutionStarter(store, events, config, time, metrics);
      kept.add(new ExecutionReconciler.Kept(store, starter));
      var source =
          new EventStream.Source(
              kind.idField(), kind::events, store::lastEvent, store::exists, kind.terminalEvents());
      var followed = new EventStream(source, tail, config.heartbeat(), clock);
      var each =
          compat.originals()
              ? new OriginalExecutionRoutes(types, starter, store, followed, files, time)
              : new ExecutionRoutes(types, starter, store, followed, files, time);
      executions.put(kind, each);
      starters.put(kind, starter);
      routes.add(each);
    }
    foreign =
        new KeyedConsumer(
            kafka,
            new KeyedSettings(
                    ExecutionNames.GATEWAYS,
                    List.of(ExecutionNames.WORKFLOWS, ExecutionNames.TASKS))
                .withStartAt(StartAt.LATEST),
            new ForeignEventConsumer(stores, traces.of("gateway"), metrics),
            publisher,
            clock,
            metrics);
    services = new Services(List.of(new ExecutionReconciler(kept, events, config), foreign));
  }

  /// `/api/workflows…`, `/api/tasks…`, `/api/forms`, `/internal/…`; files are not among them
  public Routes routes() {
    return () -> routes.stream().flatMap(each -> each.routes().stream()).toList();
  }

  /// How the reading of others' events goes.
  public HealthCheck health() {
    return () -> {
      if (!foreign.isHealthy()) throw new IllegalStateException(foreign.describe());
      return foreign.describe();
    };
  }

  /// `/api/tasks…`
  public ExecutionRoutes tasks() {
    return Objects.requireNonNull(executions.get(ExecutionKind.TASK));
  }

  /// Starts tasks, and lets them begin again.
  public ExecutionStarter taskStarter() {
    return Objects.requireNonNull(starters.get(ExecutionKind.TASK));
  }

  /// How many there are of each status, and how many are ready, held, or wait for their time.
  public void report(ExecutionKind kind, ObjectNode out) {
    var store = Objects.requireNonNull(stores.get(kind));
    store.counts().forEach((status, count) -> out.put(status.wire(), count));
    store.depths().forEach(out::put);
  }

  @Override
  public String name() {
    return "workflow module";
  }

  @Override
  public void start() {
    services.start();
  }

  @Override
  public void stop() {
    services.close();
    publisher.close();
  }
}

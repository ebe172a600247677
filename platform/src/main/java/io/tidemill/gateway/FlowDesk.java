package io.tidemill.gateway;

import io.micrometer.core.instrument.MeterRegistry;
import io.tidemill.broker.kafka.KafkaConfig;
import io.tidemill.broker.kafka.KeyedConsumer;
import io.tidemill.broker.kafka.KeyedSettings;
import io.tidemill.broker.kafka.Publisher;
import io.tidemill.broker.kafka.StartAt;
import io.tidemill.broker.streams.StreamTail;
import io.tidemill.contract.Decoded;
import io.tidemill.contract.flow.FlowForms;
import io.tidemill.contract.flow.FlowKind;
import io.tidemill.contract.flow.FlowNames;
import io.tidemill.contract.flow.FlowRecords;
import io.tidemill.flow.CreatedEvents;
import io.tidemill.flow.FlowPublisher;
import io.tidemill.http.HealthCheck;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Routes;
import io.tidemill.observe.Traces;
import io.tidemill.service.Service;
import io.tidemill.service.Services;
import io.tidemill.store.redis.FlowStore;
import io.tidemill.store.redis.FlowsConfig;
import io.tidemill.store.redis.Redis;
import io.tidemill.store.redis.RedisClock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The gateway's side of contract C2 put together: workflows and tasks over HTTP, their `created`
/// events out, what others say about them in.
public final class FlowDesk implements Service {
  private final Publisher publisher;
  private final KeyedConsumer foreign;
  private final Services services;
  private final Map<FlowKind, FlowStore> stores = new EnumMap<>(FlowKind.class);
  private final Map<FlowKind, FlowSubmissions> submissions = new EnumMap<>(FlowKind.class);
  private final List<Routes> routes = new ArrayList<>();
  private @Nullable FlowRoutes tasks;

  public FlowDesk(
      FlowsConfig config,
      Redis redis,
      KafkaConfig kafka,
      StreamTail tail,
      Traces traces,
      MeterRegistry metrics,
      InstantSource clock) {
    var time = new RedisClock(redis, clock);
    var types = new HashSet<>(FlowRecords.TASK_TYPES);
    types.addAll(config.taskTypes());
    routes.add(new FormRoutes(types));
    publisher = new Publisher(kafka, "gateway-flows");
    var events = new CreatedEvents(new FlowPublisher(publisher, metrics));
    var kept = new ArrayList<FlowReconciler.Kept>();
    for (var kind : FlowKind.values()) {
      var shape = new FlowShape(kind, types);
      var store = new FlowStore(redis, kind, config, time);
      stores.put(kind, store);
      var accepted = new FlowSubmissions(shape, store, events, config, time, metrics);
      submissions.put(kind, accepted);
      kept.add(new FlowReconciler.Kept(shape, store, accepted));
      var source =
          new EventStream.Source(
              kind.idField(), kind::events, store::lastEvent, store::exists, shape.terminal());
      var followed = new EventStream(source, tail, config.heartbeat(), clock);
      var each = new FlowRoutes(shape, accepted, store, followed, time);
      routes.add(each);
      if (kind == FlowKind.TASK) tasks = each;
    }
    foreign =
        new KeyedConsumer(
            kafka,
            new KeyedSettings(FlowNames.GATEWAYS, List.of(FlowNames.WORKFLOWS, FlowNames.TASKS))
                .withStartAt(StartAt.LATEST),
            new ForeignFlows(stores, traces.of("gateway"), metrics),
            publisher,
            clock,
            metrics);
    services = new Services(List.of(new FlowReconciler(kept, events, config), foreign));
  }

  /// `/api/workflows…`, `/api/tasks…`, `/api/forms`, `/internal/…`
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

  /// Lets a task begin again, as `POST /api/tasks/{id}/retry` does with this body.
  public Response retryTask(String id, byte[] form) {
    var tasks = Objects.requireNonNull(submissions.get(FlowKind.TASK));
    return switch (FlowForms.again(FlowKind.TASK, form)) {
      case Decoded.Unreadable(var why) -> Response.problem(400, why);
      case Decoded.Malformed(var why) -> Response.problem(422, why);
      case Decoded.Message(var again) -> tasks.again(id, again);
    };
  }

  /// Takes a task in, as `POST /api/tasks` does.
  Response submitTask(byte[] form, Request request) {
    return Objects.requireNonNull(tasks).submit(form, request);
  }

  /// How many there are of each status, and how many are ready, held, or wait for their time.
  public void report(FlowKind kind, ObjectNode out) {
    var store = Objects.requireNonNull(stores.get(kind));
    store.counts().forEach((status, count) -> out.put(status.wire(), count));
    store.depths().forEach(out::put);
  }

  @Override
  public String name() {
    return "flow desk";
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

package io.tidemill.processor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.Step;
import io.tidemill.api.TaskType;
import io.tidemill.config.Settings;
import io.tidemill.contract.workflow.ExecutionCodec;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionRecords;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaRecord;
import io.tidemill.kafka.consumer.KeyedSettings;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.processor.step.StepRegistry;
import io.tidemill.provision.ContractProvisioner;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.servers.RedisServer;
import io.tidemill.support.Resp;
import io.tidemill.support.TestKafka;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A real Kafka and Redis of this test's own, with processors that know the steps given.
public final class WorkflowRig implements AutoCloseable {
  /// C2.5's membership, only quicker.
  static final KeyedSettings.Membership QUICK =
      new KeyedSettings.Membership(
          Duration.ofMillis(1_200),
          Duration.ofMillis(250),
          Duration.ofMinutes(5),
          Duration.ofMillis(100));

  private final Path folder;
  private final RedisServer redisServer;
  private final TestKafka kafka = new TestKafka();
  private final Redis redis;
  private final Resp resp;
  private final PublishedRecordFinder lookback;
  private final ExecutionPublisher publisher;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  public WorkflowRig() {
    try {
      folder = Files.createTempDirectory("tidemill-flows");
      redisServer = new RedisServer(folder, 0, "256mb", "everysec");
      redisServer.start();
      ContractProvisioner.create(kafka.config());
    } catch (IOException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
    redis = new Redis(settings().section(RedisConfig.class));
    resp = new Resp(redisServer.port());
    lookback = new PublishedRecordFinder(kafka.config());
    publisher = new ExecutionPublisher(kafka.publisher(), new SimpleMeterRegistry());
  }

  private Settings settings(String... overrides) {
    return settings(redisServer.address(), overrides);
  }

  static Settings settings(String redisUrl, String... overrides) {
    var values =
        new LinkedHashMap<>(
            Map.of(
                "redis.url", redisUrl,
                "processor.lease", "30s",
                "processor.stop-timeout", "2s",
                "processor.step-retry-after", "50ms"));
    for (var override : overrides) {
      var pair = override.split("=", 2);
      values.put(pair[0], pair[1]);
    }
    return Settings.load(
        null,
        Map.of(),
        values,
        List.of(
            ProcessorConfig.class, WorkflowsConfig.class, RedisConfig.class, ObserveConfig.class));
  }

  public RedisServer redisServer() {
    return redisServer;
  }

  public Redis redis() {
    return redis;
  }

  public Resp resp() {
    return resp;
  }

  public TestKafka kafka() {
    return kafka;
  }

  /// A processor in this process.
  ExecutionProcessor processor(
      String owner,
      InstantSource clock,
      List<Step> steps,
      List<TaskType> types,
      String... overrides) {
    var processor =
        processor(
            settings(overrides),
            kafka.config(),
            redis,
            owner,
            clock,
            steps,
            types,
            new SimpleMeterRegistry());
    parts.push(processor::stop);
    processor.start();
    return processor;
  }

  static ExecutionProcessor processor(
      Settings settings,
      KafkaConfig kafka,
      Redis redis,
      String owner,
      InstantSource clock,
      List<Step> steps,
      List<TaskType> types,
      MeterRegistry metrics) {
    return new ExecutionProcessor(
        new ExecutionProcessor.Config(
            settings.section(ProcessorConfig.class),
            settings.section(WorkflowsConfig.class),
            owner),
        redis,
        kafka,
        QUICK,
        new ExecutionProcessor.Capabilities(
            StepRegistry.of(steps),
            types.stream().collect(Collectors.toMap(TaskType::name, type -> type)),
            new MemoryRecords()),
        new Traces(settings.section(ObserveConfig.class)),
        metrics,
        clock);
  }

  /// Stops every processor of this process.
  void stopAll() {
    while (!parts.isEmpty()) close(parts.pop());
  }

  private static void close(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception failed) {
      throw new IllegalStateException(failed);
    }
  }

  ExecutionStore store(ExecutionKind kind) {
    return store(kind, InstantSource.system());
  }

  ExecutionStore store(ExecutionKind kind, InstantSource clock) {
    return new ExecutionStore(redis, kind, settings().section(WorkflowsConfig.class), clock);
  }

  /// One command on a connection of its own, for steps on threads of their own.
  Object redisCall(Object... command) {
    try (var own = new Resp(redisServer.port())) {
      return own.call(command);
    }
  }

  /// Publishes `workflow.created` as a stranger would.
  public String workflow(String... steps) {
    return workflow(Priority.MEDIUM, null, steps);
  }

  String workflow(Priority priority, @Nullable ObjectNode input, String... steps) {
    var id = ExecutionNames.newWorkflowId();
    var now = InstantSource.system().instant();
    publish(
        ExecutionKind.WORKFLOW,
        new ExecutionEvent.WorkflowCreated(id, "Test", List.of(steps), priority, now, input));
    return id;
  }

  String task(String type, int maxRetries) {
    var id = ExecutionNames.newTaskId();
    var now = InstantSource.system().instant();
    publish(
        ExecutionKind.TASK,
        new ExecutionEvent.TaskCreated(id, type, Json.object(), 0, maxRetries, now));
    return id;
  }

  void publish(ExecutionKind kind, ExecutionEvent event) {
    var now = InstantSource.system().instant();
    var message = ExecutionMessage.of(event, now, Json.object().put("source", "stranger"));
    publisher.publish(
        kind, event.id(), ExecutionCodec.encode(message), now, event.type(), null, -1, false);
  }

  /// Everything in the topic about one, in the order of its partition.
  public List<JsonNode> events(ExecutionKind kind, String id) {
    return records(kind, id).stream()
        .map(record -> Json.parse(requireNonNull(record.value())))
        .toList();
  }

  /// Everything in a topic, by key, in the order of the partitions.
  Map<String, List<JsonNode>> events(ExecutionKind kind) {
    var events = new HashMap<String, List<JsonNode>>();
    for (int partition = 0; partition < ExecutionNames.PARTITIONS; partition++) {
      for (var record : lookback.since(kind.topic(), partition, 0, Instant.EPOCH, _ -> true)) {
        events
            .computeIfAbsent(TestKafka.key(record), _ -> new ArrayList<>())
            .add(Json.parse(requireNonNull(record.value())));
      }
    }
    return events;
  }

  List<KafkaRecord> records(ExecutionKind kind, String id) {
    var records = new ArrayList<KafkaRecord>();
    for (int partition = 0; partition < ExecutionNames.PARTITIONS; partition++) {
      records.addAll(
          lookback.since(
              kind.topic(),
              partition,
              0,
              Instant.EPOCH,
              key -> Arrays.equals(key, id.getBytes(UTF_8))));
    }
    return records;
  }

  List<String> types(ExecutionKind kind, String id) {
    return events(kind, id).stream().map(event -> event.get("eventType").stringValue()).toList();
  }

  Map<String, String> record(ExecutionKind kind, String id) {
    return resp.hash(kind.key(id));
  }

  /// Waits until it has ended and everybody has been told.
  JsonNode awaitEnd(ExecutionKind kind, String id) {
    await(id)
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> "done".equals(record(kind, id).get("place")));
    return show(kind, id);
  }

  public JsonNode awaitStatus(ExecutionKind kind, String id, ExecutionStatus status) {
    await(id + " " + status)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> status.wire().equals(record(kind, id).get("status")));
    return show(kind, id);
  }

  JsonNode show(ExecutionKind kind, String id) {
    var record = record(kind, id);
    return kind == ExecutionKind.WORKFLOW
        ? ExecutionRecords.workflow(record)
        : ExecutionRecords.task(record);
  }

  /// Nothing of the kind waits or runs, and no event is unpublished.
  void awaitIdle() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() ->
            Set.of(ExecutionKind.values()).stream()
                .allMatch(kind -> store(kind).depths().values().stream().allMatch(n -> n == 0)));
  }

  @Override
  public void close() {
    stopAll();
    lookback.close();
    redis.close();
    resp.close();
    redisServer.close();
    kafka.close();
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException busy) {
      throw new UncheckedIOException(busy);
    }
  }
}

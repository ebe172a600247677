package io.tidemill.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.api.Step;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.TaskCall;
import io.tidemill.api.TaskType;
import io.tidemill.config.Settings;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionMessage;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.processor.ExecutionProcessor;
import io.tidemill.processor.ProcessorConfig;
import io.tidemill.processor.StepRecords;
import io.tidemill.processor.record.InlineRecords;
import io.tidemill.processor.step.StepRegistry;
import io.tidemill.provision.ContractProvisioner;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.servers.KafkaServer;
import io.tidemill.servers.RedisServer;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import tools.jackson.databind.node.ObjectNode;

/// Local Kafka and Redis, a processor whose steps and tasks do nothing, and a bare producer.
final class EventsRig implements AutoCloseable {
  private static final long POLL_NANOS = 2_000_000;
  private static final String BARE = "-bare";
  static final String TYPE = "email_notification";
  private static final List<Class<? extends Record>> SECTIONS =
      List.of(
          RedisConfig.class,
          KafkaConfig.class,
          WorkflowsConfig.class,
          ProcessorConfig.class,
          ObserveConfig.class);

  private final RedisServer redisServer;
  private final KafkaServer kafkaServer;
  private final Redis redis;
  private final KafkaPublisher kafka;
  private final ExecutionPublisher publisher;
  private final KafkaProducer<byte[], byte[]> bare;
  private final ExecutionProcessor processor;
  private final Map<ExecutionKind, ExecutionStore> stores = new HashMap<>();

  EventsRig(Path data, Map<String, String> overrides, ObjectNode result)
      throws InterruptedException {
    redisServer = new RedisServer(data.resolve("redis"), 0);
    kafkaServer = new KafkaServer(data.resolve("kafka"), 0);
    redisServer.start();
    kafkaServer.start();
    var settings = settings(overrides);
    var config = settings.section(KafkaConfig.class);
    provision(config);
    redis = new Redis(settings.section(RedisConfig.class));
    var clock = InstantSource.system();
    for (var kind : ExecutionKind.values()) {
      stores.put(
          kind, new ExecutionStore(redis, kind, settings.section(WorkflowsConfig.class), clock));
    }
    var metrics = new SimpleMeterRegistry();
    kafka = new KafkaPublisher(config, "bench");
    publisher = new ExecutionPublisher(kafka, metrics);
    bare =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                config.bootstrap(),
                "acks",
                "all",
                "linger.ms",
                1,
                "batch.size",
                64 * 1024),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    processor =
        new ExecutionProcessor(
            new ExecutionProcessor.Config(
                settings.section(ProcessorConfig.class),
                settings.section(WorkflowsConfig.class),
                "bench"),
            redis,
            config,
            new ExecutionProcessor.Capabilities(
                StepRegistry.of(idle(result)), Map.of(TYPE, new IdleTask(result)), new NoRecords()),
            new Traces(settings.section(ObserveConfig.class)),
            metrics,
            clock);
    processor.start();
  }

  private static List<Step> idle(ObjectNode result) {
    return Stream.concat(
            EventsBench.STEPS.stream().map(name -> new Idle(name, result, true)),
            EventsBench.DEEDS.stream().map(name -> new Idle(name, result, false)))
        .<Step>map(step -> step)
        .toList();
  }

  private Settings settings(Map<String, String> overrides) {
    var values = BenchSettings.chosen(overrides, "processor.", "redis.connections");
    values.put("redis.url", redisServer.address());
    values.put("kafka.bootstrap", kafkaServer.address());
    return BenchSettings.load(values, SECTIONS);
  }

  private static void provision(KafkaConfig config) throws InterruptedException {
    try (var topics = new TopicProvisioner(config)) {
      ContractProvisioner.create(topics);
      topics.provision(
          Stream.of(ExecutionKind.values())
              .map(kind ->
                  new TopicProvisioner.Wanted(
                      kind.topic() + BARE, ExecutionNames.PARTITIONS, ExecutionNames.RETENTION))
              .toList());
    }
  }

  /// Publishes the first events and waits until everything that follows from them is done.
  void run(ExecutionKind kind, List<ExecutionMessage> created) {
    var store = stores.get(kind);
    if (store == null) throw new IllegalStateException();
    var before = ended(store);
    var sent =
        created.stream()
            .map(message ->
                publisher.send(
                    kind,
                    message.event().id(),
                    EventsBench.value(message),
                    message.timestamp(),
                    message.event().type(),
                    null,
                    ExecutionPublisher.BY_KEY,
                    false))
            .toList();
    sent.forEach(CompletableFuture::join);
    while (ended(store) < before + created.size() || isBusy(store))
      LockSupport.parkNanos(POLL_NANOS);
  }

  /// Runs them with an unreadable record among them.
  void runWithPoison(ExecutionKind kind, List<ExecutionMessage> created) {
    var poison = new OutgoingRecord(kind.topic(), null, List.of(), "{poison".getBytes(UTF_8));
    kafka.send(poison).join();
    run(kind, created);
  }

  private static long ended(ExecutionStore store) {
    return store.counts().getOrDefault(ExecutionStatus.COMPLETED, 0L);
  }

  private static boolean isBusy(ExecutionStore store) {
    return store.depths().values().stream().anyMatch(depth -> depth > 0);
  }

  /// Writes events with a bare producer, and waits for their confirmation.
  void write(ExecutionKind kind, List<List<ExecutionMessage>> lives) throws IOException {
    var sent = new ArrayList<Future<?>>();
    var most = lives.getFirst().size();
    for (int i = 0; i < most; i++) {
      for (var life : lives) {
        var message = life.get(i);
        sent.add(
            bare.send(
                new ProducerRecord<>(
                    // Elsewhere: processors need not read what is only written.
                    kind.topic() + BARE, EventsBench.key(message), EventsBench.value(message))));
      }
    }
    try {
      for (var one : sent) one.get();
    } catch (java.util.concurrent.ExecutionException | InterruptedException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void close() {
    processor.stop();
    bare.close();
    kafka.close();
    redis.close();
    kafkaServer.close();
    redisServer.close();
  }

  private record Idle(String name, ObjectNode result, boolean isRepeatable) implements Step {
    @Override
    public StepOutcome run(StepCall call) {
      return new StepOutcome.Done(result, call.input(), StepOutcome.Counts.all(1000));
    }
  }

  private record IdleTask(ObjectNode result) implements TaskType {
    @Override
    public String name() {
      return TYPE;
    }

    @Override
    public ObjectNode run(TaskCall call) {
      return result;
    }
  }

  private static final class NoRecords implements StepRecords {
    @Override
    public Records input(ObjectNode input) {
      return InlineRecords.NONE;
    }

    @Override
    public RecordWriter writer(String id) {
      throw new IllegalStateException("nothing is written here");
    }

    @Override
    public ObjectNode encode(String id, Records records) {
      return Json.object();
    }

    @Override
    public Records decode(ObjectNode kept) {
      return InlineRecords.NONE;
    }

    @Override
    public void forget(ObjectNode kept) {}
  }
}

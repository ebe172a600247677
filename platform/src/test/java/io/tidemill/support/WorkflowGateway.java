package io.tidemill.support;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.file.ResultFiles;
import io.tidemill.gateway.workflow.WorkflowModule;
import io.tidemill.http.HttpConfig;
import io.tidemill.http.access.ApiConfig;
import io.tidemill.http.server.HttpServer;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.observe.Metrics;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.TraceParent;
import io.tidemill.observe.Traces;
import io.tidemill.provision.ContractProvisioner;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisClock;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.servers.KafkaServer;
import io.tidemill.servers.LocalServers;
import io.tidemill.servers.RedisServer;
import io.tidemill.service.Services;
import io.tidemill.trace.StoredSpan;
import io.tidemill.workflow.ExecutionQueue;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import tools.jackson.databind.JsonNode;

/// A real Kafka and Redis with the gateway's side of C2 on them; whoever else takes part is a plain
/// client.
public final class WorkflowGateway implements AutoCloseable {
  private static final InstantSource CLOCK = InstantSource.system();

  private final RedisServer redisServer;
  private final KafkaServer kafkaServer;
  private final Redis redis;
  private final List<Runnable> closing = new ArrayList<>();
  private final Queue<StoredSpan> spans = new ConcurrentLinkedQueue<>();
  private final KafkaProducer<byte[], byte[]> producer;
  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer http;

  public WorkflowGateway(Path folder) throws InterruptedException {
    redisServer = new RedisServer(folder.resolve("redis"), 0, "256mb", "everysec");
    kafkaServer = new KafkaServer(folder.resolve("kafka"), 0);
    LocalServers.startAll(List.of(redisServer, kafkaServer));
    redis = new Redis(Wiring.settings(redisServer.address(), List.of()).section(RedisConfig.class));
    var kafka = new KafkaConfig(kafkaServer.address(), 1);
    ContractProvisioner.create(kafka);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafkaServer.address()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /// Starts a gateway; requests go to the one that was started last.
  public void start(String... overrides) {
    startAt(kafkaServer.address(), overrides);
  }

  /// The same by way of another address of Kafka.
  public void startAt(String bootstrap, String... overrides) {
    var all =
        Stream.concat(
                Stream.of("kafka.bootstrap=" + bootstrap, "flows.doubt-after=6s"),
                Stream.of(overrides))
            .toList();
    var settings = Wiring.settings(redisServer.address(), all);
    var metrics = new Metrics();
    var own = new Redis(settings.section(RedisConfig.class));
    var tail = new StreamTail(own, 1, metrics.registry());
    var traces =
        new Traces(settings.section(ObserveConfig.class), new SpanConsumer(spans::add), CLOCK);
    var compat = settings.section(CompatConfig.class);
    var desk =
        new WorkflowModule(
            settings.section(WorkflowsConfig.class),
            compat,
            own,
            settings.section(KafkaConfig.class),
            tail,
            ResultFiles.NONE,
            traces,
            metrics.registry(),
            CLOCK);
    http =
        new HttpServer(
            settings.section(HttpConfig.class),
            settings.section(ApiConfig.class),
            List.of(desk.routes()),
            compat.problems(),
            metrics,
            traces,
            CLOCK);
    var services = new Services(List.of(tail, desk, http));
    services.start();
    closing.add(() -> {
      services.close();
      own.close();
      metrics.close();
    });
  }

  public int port() {
    return http.port();
  }

  /// What the gateways did for traces.
  public List<StoredSpan> spans() {
    return List.copyOf(spans);
  }

  public RedisServer redisServer() {
    return redisServer;
  }

  public KafkaServer kafkaServer() {
    return kafkaServer;
  }

  /// What a gateway has written, for those who look behind it.
  public ExecutionStore store(ExecutionKind kind) {
    return new ExecutionStore(redis, kind, config(), new RedisClock(redis, CLOCK));
  }

  /// What a processor of ours would ask.
  public ExecutionQueue queue(ExecutionKind kind) {
    return new ExecutionQueue(redis, kind, new RedisClock(redis, CLOCK));
  }

  private WorkflowsConfig config() {
    return Wiring.settings(redisServer.address(), List.of("flows.doubt-after=300ms"))
        .section(WorkflowsConfig.class);
  }

  public HttpResponse<String> send(String method, String path, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (headers.length > 0) request.headers(headers);
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException broken) {
      throw new AssertionError(broken);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new AssertionError(stop);
    }
  }

  public HttpResponse<String> post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  public JsonNode get(String path) {
    var answer = send("GET", path, null);
    if (answer.statusCode() != 200) throw new AssertionError(path + ": " + answer.body());
    return Json.parse(answer.body());
  }

  /// Submits a workflow of these steps.
  public String workflow(String... steps) {
    var body = Json.object().put("name", "test").put("priority", "high");
    for (var step : steps) body.withArray("steps").add(step);
    return Json.parse(post("/api/workflows", Json.text(body)).body())
        .get("workflowId")
        .stringValue();
  }

  /// Submits a task.
  public String task() {
    var answer =
        post(
            "/api/tasks", "{\"type\":\"email_notification\",\"data\":{\"recipient\":\"a@b.org\"}}");
    return Json.parse(answer.body()).get("taskId").stringValue();
  }

  public void awaitStatus(String path, String status) {
    await().until(() -> get(path).get("status").stringValue().equals(status));
  }

  /// Publishes as a stranger would.
  public void publish(String topic, String key, String value) {
    publish(new ProducerRecord<>(topic, key.getBytes(UTF_8), value.getBytes(UTF_8)));
  }

  private void publish(ProducerRecord<byte[], byte[]> record) {
    try {
      producer.send(record).get();
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }

  /// Publishes an event as a stranger would, with the payload's fields as JSON.
  public void event(String topic, String type, String id, String payload) {
    publish(topic, id, encoded(topic, type, id, payload));
  }

  /// The same as a part of a trace.
  public void event(String topic, String type, String id, String payload, TraceParent trace) {
    var value = encoded(topic, type, id, payload).getBytes(UTF_8);
    var record = new ProducerRecord<>(topic, id.getBytes(UTF_8), value);
    record.headers().add(ExecutionNames.TRACEPARENT, trace.toString().getBytes(UTF_8));
    publish(record);
  }

  private static String encoded(String topic, String type, String id, String payload) {
    var idField = topic.equals(ExecutionNames.WORKFLOWS) ? "workflowId" : "taskId";
    return """
    {"eventType":"%s","eventId":"%s","timestamp":"2026-01-04T01:09:27.123Z",
     "payload":{"%s":"%s",%s}}
    """
        .formatted(type, ExecutionNames.newEventId(), idField, id, payload);
  }

  /// Everything that lies in a topic under this key.
  public List<ConsumerRecord<byte[], byte[]>> records(String topic, String key) {
    try (var consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafkaServer.address()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      var partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions);
      var found = new ArrayList<ConsumerRecord<byte[], byte[]>>();
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        for (var record : consumer.poll(Duration.ofMillis(100))) {
          if (record.key() != null && new String(record.key(), UTF_8).equals(key)) {
            found.add(record);
          }
        }
      }
      return found;
    }
  }

  @Override
  public void close() {
    closing.forEach(Runnable::run);
    producer.close(Duration.ofSeconds(1));
    redis.close();
    kafkaServer.close();
    redisServer.close();
  }
}

package io.tidemill.worker.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.JobFailure;
import io.tidemill.api.RetryLater;
import io.tidemill.api.Tool;
import io.tidemill.contract.crawl.CrawlKey;
import io.tidemill.contract.crawl.CrawlNames;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.crawl.CrawlStarter;
import io.tidemill.crawl.CrawlStore;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.KafkaPublisher;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.QuietCall;
import io.tidemill.support.TestKafka;
import io.tidemill.support.Wiring;
import io.tidemill.workflow.ExecutionPublisher;
import io.tidemill.workflow.ExecutionStarter;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.WorkflowsConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The tools that start something, each once however often its job is delivered (C3.11).
class StartingToolsIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration DOUBT = Duration.ofMinutes(10);

  private static final TestKafka kafka = TestKafka.shared();
  private static JobPlatform platform;
  private static Redis redis;
  private static CrawlStore crawls;
  private static ExecutionStore workflows;
  private static WorkflowsConfig flows;
  private static KafkaPublisher nowhere;

  @BeforeAll
  static void start() throws Exception {
    platform = JobPlatform.redis();
    var settings = Wiring.settings(platform.server().address(), List.of());
    redis = new Redis(settings.section(RedisConfig.class));
    flows = settings.section(WorkflowsConfig.class);
    crawls = new CrawlStore(redis, Duration.ofDays(1), CLOCK);
    workflows = new ExecutionStore(redis, ExecutionKind.WORKFLOW, flows, CLOCK);
    nowhere =
        new KafkaPublisher(
            new KafkaConfig("127.0.0.1:1", 1),
            "nowhere",
            Duration.ofMillis(200),
            Duration.ofMillis(200));
    try (var topics = new TopicProvisioner(kafka.config())) {
      topics.provision(
          Stream.of(CrawlNames.REQUESTS, ExecutionNames.WORKFLOWS)
              .map(name -> new TopicProvisioner.Wanted(name, 3, Duration.ofDays(7)))
              .toList());
    }
  }

  @AfterAll
  static void stop() {
    nowhere.close();
    redis.close();
    platform.close();
  }

  private static Tool crawlStart(KafkaPublisher publisher) {
    return new CrawlStartTool(
        new CrawlStarter(crawls, publisher, DOUBT, 3, CLOCK), "tools@localhost");
  }

  private static Tool workflowStart(KafkaPublisher publisher) {
    var metrics = new SimpleMeterRegistry();
    var events = new ExecutionPublisher(publisher, metrics);
    return new WorkflowStartTool(
        new ExecutionStarter(workflows, events, flows, CLOCK, metrics), CLOCK);
  }

  private static JsonNode call(Tool tool, String job, String arguments) throws Exception {
    return tool.call(Json.parse(arguments.replace('\'', '"')), new QuietCall(job));
  }

  private static void assertFails(Tool tool, String arguments, String code, String why) {
    assertThatThrownBy(() -> call(tool, UUID.randomUUID().toString(), arguments))
        .asInstanceOf(type(JobFailure.class))
        .satisfies(failure -> assertThat(failure.code()).isEqualTo(code))
        .extracting(Throwable::getMessage)
        .asString()
        .contains(why);
  }

  // The values of the topic's records with that key, read to the end.
  private static List<String> published(String topic, String key) {
    try (var consumer =
        new KafkaConsumer<>(
            Map.<String, Object>of("bootstrap.servers", kafka.config().bootstrap()),
            new StringDeserializer(),
            new StringDeserializer())) {
      var partitions =
          IntStream.range(0, 3).mapToObj(number -> new TopicPartition(topic, number)).toList();
      var ends = consumer.endOffsets(partitions);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var found = new ArrayList<String>();
      while (partitions.stream()
          .anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
        for (var record : consumer.poll(Duration.ofMillis(100))) {
          if (key.equals(record.key())) found.add(record.value());
        }
      }
      return found;
    }
  }

  @Test
  void startsACrawlOnceAndReturnsItsStatus() throws Exception {
    var job = UUID.randomUUID().toString();
    var arguments = "{'url':'https://example.com/','maxPages':5}";

    var first = call(crawlStart(kafka.publisher()), job, arguments);
    var again = call(crawlStart(kafka.publisher()), job, arguments);

    var id = first.path("id").asString();
    assertThat(again.path("id").asString()).isEqualTo(id);
    assertThat(first.path("status").asString()).isEqualTo("pending");
    assertThat(first.path("email").asString()).isEqualTo("tools@localhost");
    assertThat(published(CrawlNames.REQUESTS, id))
        .containsExactly("{\"url\":\"https://example.com/\"}");
    assertThat(crawls.isUnpublished(id)).isFalse();
    var status = call(new CrawlStatusTool(crawls), "other", "{'id':'" + id + "','pages':5}");
    assertThat(status.path("status").asString()).isEqualTo("pending");
    assertThat(status.at("/progress/fetched").asInt(-1)).isZero();
    assertThat(status.has("result")).isFalse();
    assertThat(status.path("pages").isArray()).isTrue();
  }

  @Test
  void startsACrawlLaterThatKafkaDidNotTake() throws Exception {
    var job = UUID.randomUUID().toString();
    var arguments = "{'url':'https://example.com/','email':'later@example.org'}";

    assertThatThrownBy(() -> call(crawlStart(nowhere), job, arguments))
        .isInstanceOf(RetryLater.class);
    var started = call(crawlStart(kafka.publisher()), job, arguments);

    var id = started.path("id").asString();
    assertThat(published(CrawlNames.REQUESTS, id)).hasSize(1);
    var noted = crawls.find(new CrawlKey("later@example.org", id)).orElseThrow();
    assertThat(started.path("createdAt").asString()).isEqualTo(noted.createdAt());
    assertThat(crawls.count("later@example.org")).isOne();
  }

  @Test
  void checksACrawlAsTheGatewayDoes() {
    var tool = crawlStart(kafka.publisher());
    assertFails(tool, "{'url':'nonsense'}", "BAD_ARGUMENTS", "url must be an absolute");
    assertFails(tool, "{'url':'https://a.example','include':['(']}", "BAD_ARGUMENTS", "RE2");
    assertFails(tool, "{'url':'https://a.example','email':'x'}", "BAD_ARGUMENTS", "email");
    assertFails(
        new CrawlStartTool(null, "a@b"),
        "{'url':'https://a.example'}",
        "NOT_CONFIGURED",
        "kafka.bootstrap");
    assertFails(
        new CrawlStartTool(new CrawlStarter(crawls, nowhere, DOUBT, 0, CLOCK), "tools@localhost"),
        "{'url':'https://a.example'}",
        "TOO_MANY_CRAWLS",
        "crawls.max-per-owner");
    assertFails(new CrawlStatusTool(crawls), "{'id':'none'}", "UNKNOWN_CRAWL", "no such crawl");
    assertFails(new CrawlStatusTool(crawls), "{'id':'a:b'}", "BAD_ARGUMENTS", "id: ");
  }

  @Test
  void startsAWorkflowOnceThoughItsFirstAttemptsFailed() throws Exception {
    var job = UUID.randomUUID().toString();
    var arguments = "{'name':'Tide mills','steps':['analyze'],'input':{'records':[{'a':1}]}}";

    assertThatThrownBy(() -> call(workflowStart(nowhere), job, arguments))
        .isInstanceOf(RetryLater.class);
    var id = call(workflowStart(kafka.publisher()), job, arguments).path("workflowId").asString();
    var again = call(workflowStart(kafka.publisher()), job, arguments);

    assertThat(again.path("workflowId").asString()).isEqualTo(id);
    var record = workflows.find(id).orElseThrow();
    assertThat(record).containsEntry("status", "pending").containsKey("partition");
    var event = Json.parse(published(ExecutionNames.WORKFLOWS, id).getFirst().getBytes(UTF_8));
    assertThat(published(ExecutionNames.WORKFLOWS, id)).hasSize(1);
    assertThat(event.path("eventId").asString()).isEqualTo(record.get("eventId"));
    assertThat(event.at("/payload/name").asString()).isEqualTo("Tide mills");
    assertThat(workflows.inDoubt(100)).doesNotContain(id);
  }

  @Test
  void returnsTheStatusOfAWorkflow() throws Exception {
    var arguments = "{'name':'Tide mills','steps':['analyze'],'input':{'records':[{'a':1}]}}";
    var job = UUID.randomUUID().toString();
    var id = call(workflowStart(kafka.publisher()), job, arguments).path("workflowId").asString();
    var tool = new WorkflowStatusTool(workflows);

    var status = call(tool, "other", "{'id':'" + id + "'}");

    assertThat(status.path("workflowId").asString()).isEqualTo(id);
    assertThat(status.path("name").asString()).isEqualTo("Tide mills");
    assertThat(status.path("status").asString()).isEqualTo("pending");
    assertThat(status.has("summary")).isTrue();
    assertThat(status.has("input")).isFalse();
    assertThat(status.has("results")).isFalse();
    assertThat(call(tool, "other", "{'id':'" + id + "','results':true}").path("results").isArray())
        .isTrue();
    assertFails(tool, "{'id':'none'}", "UNKNOWN_WORKFLOW", "no such workflow");
    assertFails(tool, "{'id':'wf-1:events'}", "BAD_ARGUMENTS", "id: ");
  }

  @Test
  void checksAWorkflowAsTheGatewayDoes() {
    var tool = workflowStart(kafka.publisher());
    assertFails(tool, "{'name':'ab','steps':['x']}", "BAD_ARGUMENTS", "name must have 3 to 100");
    assertFails(tool, "{'name':'abc','steps':[]}", "BAD_ARGUMENTS", "steps must");
    assertFails(
        new WorkflowStartTool(null, CLOCK),
        "{'name':'abc','steps':['x']}",
        "NOT_CONFIGURED",
        "kafka.bootstrap");
  }
}

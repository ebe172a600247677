package io.tidemill.dashboard.recordsearch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.amqp.inspect.DeadQueueReader;
import io.tidemill.config.Settings;
import io.tidemill.contract.job.JobSubmission;
import io.tidemill.contract.job.JobTask;
import io.tidemill.contract.workflow.ExecutionEvent;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.Priority;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.job.JobStore;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.service.Unavailable;
import io.tidemill.support.BrokerJ;
import io.tidemill.support.ForeignProgram;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.Resp;
import io.tidemill.support.TestKafka;
import io.tidemill.support.Wiring;
import io.tidemill.work.Settlement;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.NewExecution;
import io.tidemill.workflow.WorkflowsConfig;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Everything that goes through the platform is found, ours and that of other programs, against the
/// real servers.
class RecordSearchIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String AT = "2026-01-04T01:09:27.123Z";

  private static TestKafka kafka;
  private static JobPlatform platform;
  private static Redis redis;
  private static Resp stranger;
  private static JobsConfig jobs;
  private static WorkflowsConfig flows;
  private static JobStore store;

  @TempDir private Path dir;

  private RecordIndexer keeper;

  @BeforeAll
  static void startServers() throws InterruptedException {
    kafka = new TestKafka();
    platform = JobPlatform.redis();
    var settings = settings();
    redis = new Redis(settings.section(RedisConfig.class));
    stranger = platform.resp();
    jobs = settings.section(JobsConfig.class);
    flows = settings.section(WorkflowsConfig.class);
    store = new JobStore(redis, jobs, CLOCK);
    try (var topics = new TopicProvisioner(kafka.config())) {
      topics.provision(
          List.of("workflows", "tasks", "crawl-requests", "crawl-responses").stream()
              .map(name -> new TopicProvisioner.Wanted(name, 3, Duration.ofDays(1)))
              .toList());
    }
    stranger.call("XGROUP", "CREATE", "jobs:stream", "workers", "$", "MKSTREAM");
    platform.worker();
  }

  private static Settings settings(String... overrides) {
    return Wiring.settings(platform.server().address(), List.of(overrides));
  }

  @AfterAll
  static void stopServers() {
    redis.close();
    platform.close();
    kafka.close();
  }

  @BeforeEach
  void open() {
    keeper = keeper(List.of());
    keeper.start();
  }

  private RecordIndexer keeper(List<RecordSources.DeadQueue> mail) {
    return keeper(jobs, mail);
  }

  private RecordIndexer keeper(JobsConfig queue, List<RecordSources.DeadQueue> mail) {
    return new RecordIndexer(
        dir,
        new FindConfig(1_000),
        new RecordSources(redis, queue, flows, kafka.config(), mail),
        new SimpleMeterRegistry(),
        CLOCK);
  }

  @AfterEach
  void close() {
    keeper.stop();
    kafka.stopConsumers();
  }

  @Test
  void ourJobsAreFoundByWhatTheySaidAndByHowTheyEnded() {
    var word = word();
    var id =
        submit("{\"name\":\"echo\",\"arguments\":{\"say\":\"" + word + " caf\\u00e9\\nau lait\"}}");
    platform.awaitStatus(id, "done");

    var hit = found(word, "done");

    assertThat(hit.path("kind").asString()).isEqualTo("job");
    assertThat(hit.path("id").asString()).isEqualTo(id);
    assertThat(hit.path("title").asString()).isEqualTo("tool");
    assertThat(find(id.substring(0, 8)).path("hits").path(0).path("id").asString()).isEqualTo(id);
    assertThat(find(word + " cafe").path("total").asLong()).isEqualTo(1);
  }

  @Test
  void jobsOfOtherGatewaysAndWorkersAreFoundToo() {
    keeper.stop();
    keeper = keeper(settings("jobs.stream=others:stream").section(JobsConfig.class), List.of());
    keeper.start();
    var word = word();
    var id = UUID.randomUUID().toString();
    var now = String.valueOf(CLOCK.millis());
    hash(id, "task", "other", "payload", "{\"say\":\"" + word + "\"}", "status", "queued");
    hash(id, "created_ts", now, "updated_ts", now, "ttl_s", "600");
    stranger.call("XADD", "others:stream", "*", "job_id", id, "task", "other", "payload", "{}");
    found(word, "queued");

    hash(id, "status", "done", "result", "{\"answer\":\"forty-two\"}", "error", "");

    assertThat(found(word + " forty two", "done").path("id").asString()).isEqualTo(id);
  }

  private static void hash(String id, String... fields) {
    var command = new ArrayList<Object>(List.of("HSET", "job:" + id, "job_id", id));
    command.addAll(List.of(fields));
    stranger.call(command.toArray());
  }

  @Test
  void workflowsAreFoundWithAndWithoutARecord() {
    var word = word();
    var known = "wf-" + UUID.randomUUID();
    var foreign = "wf-" + UUID.randomUUID();
    var created =
        new ExecutionEvent.WorkflowCreated(
            known,
            "Nightly " + word,
            List.of("validate"),
            Priority.LOW,
            Instant.parse(AT),
            null,
            Json.object());
    new ExecutionStore(redis, ExecutionKind.WORKFLOW, flows, CLOCK)
        .note(NewExecution.of(created, Map.of()));
    publishCreated(known, "Nightly " + word);
    publishCreated(foreign, "Foreign " + word);

    found("nightly " + word, "pending");
    kafka.publish(
        "workflows",
        foreign,
        event(
            "workflow.failed",
            """
            {"workflowId":"%s","failedAt":"%s","failedStep":"load","failedStepIndex":0,
             "error":{"code":"NO_DISK","message":"the disk is full","stack":"at Secret.java"}}
            """
                .formatted(foreign, AT)));

    var hit = found("foreign " + word + " disk full", "failed");
    assertThat(hit.path("id").asString()).isEqualTo(foreign);
    assertThat(hit.path("title").asString()).isEqualTo("Foreign " + word);
    assertThat(find("Secret.java " + foreign).toString()).doesNotContain("Secret");
  }

  private static void publishCreated(String id, String name) {
    kafka.publish(
        "workflows",
        id,
        event(
            "workflow.created",
            """
            {"workflowId":"%s","name":"%s","steps":["validate"],"priority":"low","createdAt":"%s"}
            """
                .formatted(id, name, AT)));
  }

  private static String event(String type, String payload) {
    return """
    {"eventType":"%s","eventId":"evt-%s","timestamp":"%s","payload":%s}
    """
        .formatted(type, UUID.randomUUID(), AT, payload);
  }

  @Test
  void aDeadTaskIsFoundAsALetterUntilItBeginsAgain() {
    var word = word();
    var id = "task-" + UUID.randomUUID();
    var task =
        """
        {"taskId":"%s","type":"email_notification","data":{"to":"%s@example.org"},"retryCount":0,
         "maxRetries":3,"createdAt":"%s"}
        """
            .formatted(id, word, AT);
    kafka.publish("tasks", id, event("task.created", task));
    kafka.publish(
        "tasks",
        id,
        event(
            "task.dead_letter",
            """
            {"taskId":"%s","originalEvent":{},"retryCount":3,"maxRetries":3,
             "finalError":{"code":"SMTP","message":"no such mailbox"},"deadLetteredAt":"%s"}
            """
                .formatted(id, AT)));
    found(word + "@example.org", "dead_letter", "dead");
    // The task and its letter are two documents, and the letter's may come a refresh later.
    await()
        .atMost(LONG)
        .until(
            () -> find(id, "dead").path("hits").path(0).path("source").asString(""),
            "tasks"::equals);

    kafka.publish("tasks", id, event("task.created", task));

    await().atMost(LONG).until(() -> find(id, "dead").path("total").asLong() == 0);
    assertThat(find(id, "task").path("total").asLong()).isEqualTo(1);
  }

  @Test
  void crawlsAreFoundByOwnerUrlAndAnswer() {
    var word = word();
    var id = UUID.randomUUID().toString();
    var headers = owned(id, word);
    kafka.publish(
        "crawl-requests", id, "{\"url\":\"https://shop.example.org/" + word + "/boots\"}", headers);
    assertThat(found("shop.example.org/" + word, "pending").path("id").asString()).isEqualTo(id);
    stranger.call("HSET", "crawl:" + id, "state", "running"); // as the crawler does
    found("shop.example.org/" + word, "running");

    kafka.publish(
        "crawl-responses", id, "{\"success\":false,\"errorMessage\":\"no such host\"}", headers);

    var hit = found(word + "@example.org", "failed");
    assertThat(hit.path("title").asString())
        .isEqualTo("https://shop.example.org/" + word + "/boots");
    assertThat(hit.path("text").asString()).contains("no such host");
  }

  @Test
  void theFirstEndOfACrawlStays() { // C1.3
    var word = word();
    var id = UUID.randomUUID().toString();
    var response = "{\"success\":false,\"errorMessage\":\"first\"}";
    kafka.publish("crawl-responses", id, response, owned(id, word));
    found(word + "@example.org", "failed");

    kafka.publish(
        "crawl-responses", id, "{\"success\":true,\"scrapedData\":\"second\"}", owned(id, word));
    var later = word();
    // In the same partition, so that what comes before it has been read.
    kafka.publish("crawl-responses", id, response, owned(UUID.randomUUID().toString(), later));

    found(later + "@example.org", "failed");
    var hit = found(word + "@example.org", "failed");
    assertThat(hit.path("text").asString()).contains("first").doesNotContain("second");
  }

  @Test
  void anAnswerThatCanNotBeReadIsAnEnd() { // as of the entity, which fails
    var word = word();
    var id = UUID.randomUUID().toString();

    kafka.publish("crawl-responses", id, "no JSON", owned(id, word));

    found(word + "@example.org", "failed");
  }

  private static KafkaHeader[] owned(String id, String word) {
    return new KafkaHeader[] {
      KafkaHeader.of("id", id),
      KafkaHeader.of("email", word + "@example.org"),
      KafkaHeader.of("createdAt", AT)
    };
  }

  @Test
  void deadLettersOfTopicsAndOfTheQueueAreFoundAndForgottenWhenTheyAreGone() {
    var word = word();
    var other = word();
    kafka.consume(
        TestKafka.settings("die-" + word, "workflows"),
        record ->
            new String(record.record().value(), UTF_8).contains(word)
                ? new Settlement.DeadLetter("it is no event")
                : Settlement.DONE);
    kafka.publish("workflows", word, "{\"broken\":\"" + word + "\"");
    var entry =
        String.valueOf(
            stranger.call(
                "XADD",
                "jobs:dead",
                "*",
                "reason",
                "POISON",
                "message",
                "killed " + other,
                "fields",
                "{}"));

    var letter = found("no event " + word, "dead");
    assertThat(letter.path("source").asString()).isEqualTo("workflows");
    assertThat(letter.path("id").asString()).startsWith("workflows:0-");
    assertThat(found("killed " + other, "dead").path("id").asString()).isEqualTo(entry);

    stranger.call("XDEL", "jobs:dead", entry);

    await().atMost(LONG).until(() -> find(other).path("total").asLong() == 0);
    assertThat(find(word).path("total").asLong()).isEqualTo(1);

    keeper.stop();
    var place = letter.path("id").asString().substring("workflows:".length());
    var name = place + "@" + letter.path("at").asLong();
    new HandledDeadLetterStore(redis).note("workflows", name, How.REDRIVEN, CLOCK.instant());
    keeper = keeper(List.of());
    keeper.start();

    await().atMost(LONG).until(() -> reachable() && find(word).path("total").asLong() == 0);
  }

  @Test
  void deadLettersOfQueuesAreFoundAndForgottenWhenTheyAreGone() throws Exception {
    keeper.stop();
    var word = word();
    var amqp = BrokerJ.shared();
    var queue = "dead-" + word;
    var config = amqp.config();
    try (var other = new ForeignProgram(amqp.port());
        var publisher = new AmqpPublisher(config, new SimpleMeterRegistry())) {
      other.queue(queue);
      other.publish(queue, "{\"page\":\"" + word + "\"}");
      other.confirm();
      var depth = new AtomicLong(1);
      var letters = new DeadQueueReader(config, queue, Set.of(), publisher);
      keeper =
          keeper(
              List.of(
                  new RecordSources.DeadQueue(
                      "pages-" + word, letters, () -> OptionalLong.of(depth.get()))));
      keeper.start();
      assertThat(found("page " + word, "dead").path("source").asString())
          .isEqualTo("pages-" + word);
      assertThat(other.depth(queue)).isEqualTo(1);

      keeper.stop();
      assertThat(other.drain(queue)).hasSize(1);
      depth.set(0);
      keeper =
          keeper(
              List.of(
                  new RecordSources.DeadQueue("pages-" + word, letters, () -> OptionalLong.of(0))));
      keeper.start();

      await()
          .atMost(LONG)
          .until(() -> reachable() && find("page " + word).path("total").asLong() == 0);
    }
  }

  @Test
  void whatHappensWhileNobodyLooksIsFoundAfterwards() {
    var before = word();
    var first = submit("{\"say\":\"" + before + "\"}");
    found(before, "error");
    keeper.stop();
    var meanwhile = word();
    var second = submit("{\"say\":\"" + meanwhile + "\"}");
    platform.awaitStatus(second, "error");
    var away = word();
    publishCreated("wf-" + away, "While away");

    keeper = keeper(List.of());
    keeper.start();

    assertThat(found(meanwhile, "error").path("id").asString()).isEqualTo(second);
    assertThat(found("wf-" + away.substring(0, 20), "pending").path("kind").asString())
        .isEqualTo("workflow");
    assertThat(find(first).path("total").asLong()).isEqualTo(1);
  }

  @Test
  void aSecondGatewayOfTheSameFolderSaysSo() {
    found(ended(word()), "error");
    var second = keeper(List.of());
    second.start();
    try {
      await()
          .atMost(LONG)
          .untilAsserted(() ->
              assertThatThrownBy(() -> second.search("x", "", 1))
                  .isInstanceOf(Unavailable.class)
                  .hasMessageContaining("another process"));
    } finally {
      second.stop();
    }
  }

  private static String ended(String word) {
    submit("{\"say\":\"" + word + "\"}");
    return word;
  }

  @Test
  void refusesWhatIsNoSearch() {
    await().atMost(LONG).until(this::reachable);
    var routes = new RecordSearchRoutes(keeper);

    for (var query : List.of("kind=page", "limit=0", "limit=101", "q=" + "x".repeat(1_001))) {
      assertThatExceptionOfType(Parameters.Wrong.class) // of which the pipeline makes a 422
          .as(query)
          .isThrownBy(() -> routes.find(request(query)))
          .returns(query.substring(0, query.indexOf('=')), Parameters.Wrong::parameter);
    }
    assertThat(routes.find(request("q=%22(%5B*%3A~")).status()).isEqualTo(200);
  }

  private static Request request(String query) {
    return Request.of("GET", "/api/find?" + query);
  }

  private boolean reachable() {
    try {
      keeper.search("", "", 1);
      return true;
    } catch (Unavailable notYet) {
      return false;
    }
  }

  // A word that nothing else has.
  private static String word() {
    return "w" + UUID.randomUUID().toString().replace("-", "");
  }

  // The worker knows no such tool, so it ends at once, in one way or another.
  private static String submit(String payload) {
    var id = UUID.randomUUID().toString();
    store.submit(id, new JobSubmission(JobTask.TOOL, payload, 600), "default", null, null);
    return id;
  }

  private JsonNode found(String text, String... statuses) {
    return await()
        .atMost(LONG)
        .until(
            () -> reachable() ? find(text).path("hits").path(0) : Json.object(),
            hit -> List.of(statuses).contains(hit.path("status").asString("")));
  }

  private JsonNode find(String text) {
    return find(text, "");
  }

  private JsonNode find(String text, String kind) {
    var query = "q=" + URLEncoder.encode(text, UTF_8) + "&kind=" + kind;
    return Json.parse(((Response.Body) new RecordSearchRoutes(keeper).find(request(query))).body());
  }
}

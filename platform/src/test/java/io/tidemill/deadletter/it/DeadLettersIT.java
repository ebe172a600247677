package io.tidemill.deadletter.it;

import static io.tidemill.support.TestKafka.bytes;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.amqp.AmqpConfig;
import io.tidemill.amqp.AmqpPublisher;
import io.tidemill.contract.workflow.ExecutionEvent.TaskCreated;
import io.tidemill.contract.workflow.ExecutionKind;
import io.tidemill.contract.workflow.ExecutionStatus;
import io.tidemill.deadletter.DeadLetterRef;
import io.tidemill.deadletter.DeadLetterSource;
import io.tidemill.deadletter.HandledDeadLetterStore;
import io.tidemill.deadletter.HandledDeadLetterStore.How;
import io.tidemill.deadletter.RedriveResult;
import io.tidemill.deadletter.redrive.DeadLetterCatalog;
import io.tidemill.deadletter.redrive.MortalSource;
import io.tidemill.deadletter.redrive.MortalSource.Death;
import io.tidemill.deadletter.redrive.Redrive;
import io.tidemill.deadletter.redrive.RedriveRunner;
import io.tidemill.deadletter.redrive.RedriveStore;
import io.tidemill.deadletter.source.RestartResults;
import io.tidemill.gateway.CompatConfig;
import io.tidemill.gateway.deadletter.DeadLetterRoutes;
import io.tidemill.gateway.deadletter.DeadQueueModule;
import io.tidemill.gateway.deadletter.DeadTopicModule;
import io.tidemill.gateway.file.ResultFiles;
import io.tidemill.gateway.workflow.WorkflowModule;
import io.tidemill.http.Parameters;
import io.tidemill.http.Request;
import io.tidemill.http.Response;
import io.tidemill.http.Route;
import io.tidemill.job.JobsConfig;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaHeader;
import io.tidemill.kafka.OutgoingRecord;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.kafka.inspect.PublishedRecordFinder;
import io.tidemill.observe.ObserveConfig;
import io.tidemill.observe.Traces;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.redis.RedisLock;
import io.tidemill.redis.stream.StreamTail;
import io.tidemill.service.Unavailable;
import io.tidemill.support.BrokerJ;
import io.tidemill.support.ForeignProgram;
import io.tidemill.support.JobPlatform;
import io.tidemill.support.TestKafka;
import io.tidemill.support.Wiring;
import io.tidemill.work.Settlement;
import io.tidemill.workflow.ExecutionStore;
import io.tidemill.workflow.NewExecution;
import io.tidemill.workflow.WorkflowsConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/// Dead letters of Kafka and AMQP and dead tasks over HTTP: listed, shown, redriven once.
class DeadLettersIT {
  private static final InstantSource CLOCK = InstantSource.system();
  private static final Instant THEN = Instant.parse("2026-01-04T01:09:27.123Z");

  private static TestKafka kafka;
  private static JobPlatform platform;
  private static Redis redis;
  private static ExecutionStore tasks;
  private static JobsConfig jobs;

  private static final AtomicInteger nextTask = new AtomicInteger(70);

  private final List<String> retried = new ArrayList<>();
  private DeadTopicModule deadTopics;
  private DeadLetterRoutes routes;

  @BeforeAll
  static void start() throws InterruptedException {
    kafka = new TestKafka();
    platform = JobPlatform.redis();
    var settings = Wiring.settings(platform.server().address(), List.of());
    redis = new Redis(settings.section(RedisConfig.class));
    tasks =
        new ExecutionStore(
            redis, ExecutionKind.TASK, settings.section(WorkflowsConfig.class), CLOCK);
    jobs = settings.section(JobsConfig.class);
    try (var topics = new TopicProvisioner(kafka.config())) {
      topics.provision(
          List.of(
              new TopicProvisioner.Wanted("workflows", 3, Duration.ofDays(1)),
              new TopicProvisioner.Wanted("tasks", 3, Duration.ofDays(1)),
              new TopicProvisioner.Wanted("crawl-requests", 1, Duration.ofDays(1)),
              new TopicProvisioner.Wanted("crawl-requests.dead", 1, Duration.ofDays(1)),
              new TopicProvisioner.Wanted("crawl-responses", 1, Duration.ofDays(1)),
              new TopicProvisioner.Wanted("crawl-responses.dead", 1, Duration.ofDays(1))));
    }
  }

  @AfterAll
  static void stop() {
    redis.close();
    platform.close();
    kafka.close();
  }

  @BeforeEach
  void open() {
    deadTopics =
        new DeadTopicModule(
            kafka.config(),
            redis,
            tasks,
            (id, _) -> {
              retried.add(id);
              return new RedriveResult.TaskRestarted(id);
            },
            CLOCK);
    routes = new DeadLetterRoutes(new DeadLetterCatalog(redis, jobs, CLOCK, deadTopics.sources()));
  }

  @AfterEach
  void close() {
    kafka.stopConsumers();
    deadTopics.close();
  }

  @Test
  void aDeadRecordIsShownAndGoesBackWhereItCameFromOnce() throws Exception {
    var read = new CopyOnWriteArrayList<OutgoingRecord>();
    kafka.consume(
        TestKafka.settings("processors", "workflows"),
        attempt -> {
          var record = attempt.record();
          var time = Instant.ofEpochMilli(record.timestamp());
          read.add(
              new OutgoingRecord(
                  record.topic(),
                  record.key(),
                  record.headers(),
                  record.value(),
                  time,
                  record.partition()));
          return read.size() == 1
              ? new Settlement.DeadLetter("payload is missing")
              : Settlement.DONE;
        });
    var original =
        new OutgoingRecord(
            "workflows",
            bytes("wf-1"),
            List.of(KafkaHeader.of("content-type", "application/json")),
            bytes("{\"eventType\":\"workflow.created\"}"),
            THEN,
            2);
    kafka.publisher().publish(original);
    await().until(() -> get("/api/dead?source=workflows").path("total").asInt(0) == 1);

    var listed = get("/api/dead?source=workflows").get("dead").get(0);
    var id = listed.get("id").stringValue();
    var shown = show(id);
    var others = get("/api/dead").get("others");
    var first = redrive(id, "");
    await().until(() -> read.size() == 2);
    var second = redrive(id, "");
    var third = redrive(id, "?again=true");
    await().until(() -> read.size() == 3);

    assertThat(id).isEqualTo("workflows:0-0");
    assertThat(listed.get("message").stringValue()).isEqualTo("payload is missing");
    assertThat(listed.has("value") || listed.has("redriven_at")).isFalse();
    assertThat(shown.get("value").stringValue()).isEqualTo("{\"eventType\":\"workflow.created\"}");
    assertThat(shown.get("key").stringValue()).isEqualTo("wf-1");
    assertThat(shown.get("origin_id").stringValue()).isEqualTo("2-0");
    assertThat(shown.get("origin_ts").longValue()).isEqualTo(THEN.toEpochMilli());
    assertThat(Json.text(shown.get("headers")))
        .isEqualTo("[{\"name\":\"content-type\",\"value\":\"application/json\"}]");
    assertThat(others.get("workflows").longValue()).isEqualTo(1);
    assertThat(get("/api/dead").get("others").has("workflows")).isFalse();
    assertThat(get("/api/dead?source=jobs").has("others")).isFalse();
    assertThat(first.status()).isEqualTo(202);
    assertThat(second.status()).isEqualTo(409);
    assertThat(third.status()).isEqualTo(202);
    assertThat(read)
        .allSatisfy(record -> assertThat(record).usingRecursiveComparison().isEqualTo(original));
    assertThat(get("/api/dead?source=workflows").get("dead").get(0).has("redriven_at")).isTrue();
  }

  @Test
  void deadTasksAreListedBehindDeadRecords() throws Exception { // C2.10
    kafka.consume(
        TestKafka.settings("burial", "tasks"), _ -> new Settlement.DeadLetter("not JSON"));
    kafka
        .publisher()
        .publish(new OutgoingRecord("tasks", null, List.of(), new byte[] {(byte) 0xff}));
    await().until(() -> get("/api/dead?source=tasks").path("total").asInt(0) == 1);
    for (int i = 0; i < 3; i++) deadTask("task-" + i);

    var ids = new ArrayList<String>();
    var page = get("/api/dead?source=tasks&limit=2");
    page.get("dead").forEach(dead -> ids.add(dead.get("id").stringValue()));
    while (page.has("next")) {
      page = get("/api/dead?source=tasks&limit=2&before=" + page.get("next").stringValue());
      page.get("dead").forEach(dead -> ids.add(dead.get("id").stringValue()));
    }

    assertThat(page.get("total").intValue()).isEqualTo(4);
    assertThat(ids).containsExactly("tasks:0-0", "task-2", "task-1", "task-0");
    assertThat(show("tasks:0-0").get("value_base64").stringValue()).isEqualTo("/w==");
    assertThat(get("/api/dead").get("others").get("tasks").longValue()).isEqualTo(4);
    var task = show("task-1");
    assertThat(task.get("reason").stringValue()).isEqualTo("SMTP_ERROR");
    assertThat(task.get("attempts").intValue()).isEqualTo(4);
    assertThat(task.get("task").get("status").stringValue()).isEqualTo("dead_letter");
    var wrong = "{\"value\":\"{\\\"source\\\":{},\\\"format\\\":\\\"doc\\\"}\"}";
    assertThat(post(3, "task-1", wrong).body())
        .asString(UTF_8)
        .startsWith("{\"valid\":false")
        .contains("/format");
    assertThat(post(2, "task-1", wrong).status()).isEqualTo(422);
    assertThat(redrive("task-1", "").status()).isEqualTo(202);
    assertThat(retried).containsExactly("task-1");
  }

  @Test
  void deadJobsAreListedWithoutKafka() throws Exception {
    var nowhere = kafka.config().withBootstrap("127.0.0.1:1");
    try (var alone =
        new DeadTopicModule(
            nowhere, redis, tasks, (id, _) -> new RedriveResult.TaskRestarted(id), CLOCK)) {
      routes = new DeadLetterRoutes(new DeadLetterCatalog(redis, jobs, CLOCK, alone.sources()));

      var answer = get("/api/dead");

      assertThat(answer.has("total")).isTrue();
      assertThat(answer.has("others")).isFalse();
    }
  }

  @Test
  void deadMessagesAreShownAndGoBackToTheirQueueOnce() throws Exception { // C4.6
    var broker = BrokerJ.shared().config();
    try (var stranger = new ForeignProgram(BrokerJ.shared().port());
        var publisher = new AmqpPublisher(broker, new SimpleMeterRegistry());
        var queues = new DeadQueueModule(broker, publisher, redis, CLOCK)) {
      routes = new DeadLetterRoutes(new DeadLetterCatalog(redis, jobs, CLOCK, queues.sources()));
      stranger.queue("crawler_queue.gone");
      stranger.queue("crawler_queue.dead");
      stranger.publish("crawler_queue.dead", "whose?");
      stranger.publish(
          "crawler_queue.dead",
          new byte[] {(byte) 0xff},
          new BasicProperties.Builder()
              .messageId("m-1")
              .deliveryMode(2)
              .headers(
                  Map.of(
                      "tidemill-id",
                      "5",
                      "tidemill-origin",
                      "crawler_queue.gone",
                      "tidemill-reason",
                      "not JSON",
                      "tidemill-attempts",
                      3,
                      "tidemill-died-at",
                      THEN.toString(),
                      "theirs",
                      List.of("a", 1)))
              .build());
      stranger.confirm();

      var page = get("/api/dead?source=crawler_queue&limit=1");
      var rest = get("/api/dead?source=crawler_queue&before=" + page.get("next").stringValue());
      var others = get("/api/dead").get("others");
      var shown = show("crawler_queue:5");
      var first = redrive("crawler_queue:5", "");
      var second = redrive("crawler_queue:5", "?again=true");
      var stray = redrive(rest.get("dead").get(0).get("id").stringValue(), "");

      assertThat(Json.text(page.get("dead").get(0)))
          .isEqualTo(
              """
              {"id":"crawler_queue:5","source":"crawler_queue","origin":"crawler_queue.gone",\
              "origin_id":"m-1","attempts":3,"reason":"UNREADABLE","message":"not JSON",\
              "ts":1767488967123,"size":1}\
              """);
      assertThat(rest.get("total").intValue()).isEqualTo(2);
      assertThat(rest.has("next")).isFalse();
      assertThat(Json.text(others)).isEqualTo("{\"crawler_queue\":2}");
      assertThat(shown.get("value_base64").stringValue()).isEqualTo("/w==");
      assertThat(Json.text(shown.get("headers")))
          .isEqualTo("[{\"name\":\"theirs\",\"value\":[\"a\",1]}]");
      assertThat(first.status()).isEqualTo(202);
      assertThat(first.body())
          .asString(UTF_8)
          .isEqualTo("{\"redriven\":\"crawler_queue:5\",\"queue\":\"crawler_queue.gone\"}");
      assertThat(second.status()).isEqualTo(404);
      assertThat(stray.status()).isEqualTo(422);
      assertThat(stray.body()).asString(UTF_8).contains("does not say which queue it came from");
      assertThat(stranger.drain("crawler_queue.gone")).hasSize(1);
      assertThat(stranger.bodies("crawler_queue.dead")).containsExactly("whose?");
    }
  }

  @Test
  void withoutTheirBrokerDeadMessagesAreUnavailable() throws Exception {
    var nowhere = new AmqpConfig("amqp://127.0.0.1:1", "guest", "guest", Duration.ofSeconds(1));
    try (var publisher = new AmqpPublisher(nowhere, new SimpleMeterRegistry());
        var queues = new DeadQueueModule(nowhere, publisher, redis, CLOCK)) {
      routes = new DeadLetterRoutes(new DeadLetterCatalog(redis, jobs, CLOCK, queues.sources()));

      assertThatThrownBy(() -> get("/api/dead?source=crawler_queue"))
          .isInstanceOf(Unavailable.class)
          .hasMessage("the AMQP broker does not answer");
      assertThatThrownBy(() -> redrive("analytics.data.collected:x", ""))
          .isInstanceOf(Unavailable.class);
      assertThat(show("workflows:0-0").get("status").intValue()).isEqualTo(404);
      assertThat(get("/api/dead").has("others")).isFalse();
    }
  }

  @Test
  void aRunThatWasKilledAfterARecordWentDoesNotSendItAgain() throws Exception { // F04
    var value = "{\"eventType\":\"task.created\",\"n\":1}";
    kafka
        .publisher()
        .publish(
            new OutgoingRecord(
                "crawl-requests.dead",
                bytes("k-1"),
                List.of(KafkaHeader.of("dead-reason", "x"), KafkaHeader.of("theirs", "y")),
                bytes(value)));
    var id = get("/api/dead?source=crawl-requests").get("dead").get(0).get("id").stringValue();
    var before = ends("crawl-requests");
    var runs = new RedriveStore(redis, Duration.ofMillis(300), Duration.ofDays(1));
    var letters = new DeadLetterCatalog(redis, jobs, CLOCK, deadTopics.sources());
    runs.create("rd-kafka", List.of(new DeadLetterRef("crawl-requests", id)), redriveAt(100));
    var held = runs.take().orElseThrow();
    var redelivery = deadTopics.sources().get("crawl-requests").redelivery(id).orElseThrow();
    runs.begin(held, 0, redelivery.checkpoint());
    redelivery.send("rd-kafka"); // and here it dies, before it has noted anything
    new HandledDeadLetterStore(redis).forget("crawl-requests", note(id, letters));

    var runner = new RedriveRunner(runs, letters);
    runner.start();
    await().until(() -> runs.find("rd-kafka").orElseThrow().state() == Redrive.State.DONE);
    runner.stop();

    assertThat(runs.find("rd-kafka").orElseThrow().counts().redriven()).isEqualTo(1);
    assertThat(ends("crawl-requests") - before).isEqualTo(1);
    assertThat(show(id).has("redriven_at")).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Death.class)
  void whereverAGatewayDiesEachRecordGoesOnce(Death death) throws Exception { // kill -9
    var ids = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      var headers = List.of(KafkaHeader.of("dead-reason", "x"), KafkaHeader.of("n", "" + i));
      var letter =
          new OutgoingRecord("crawl-requests.dead", bytes(death.name()), headers, bytes("{}"));
      ids.add("crawl-requests:0-" + kafka.publisher().publish(letter).offset());
    }
    var before = ends("crawl-requests");

    workOff(deadTopics.sources(), "crawl-requests", death, ids);

    assertThat(ends("crawl-requests") - before).isEqualTo(4);
    for (var id : ids) assertThat(show(id).has("redriven_at")).isTrue();
  }

  @ParameterizedTest
  @EnumSource(Death.class)
  void whereverAGatewayDiesEachTaskBeginsAgainOnce(Death death) throws Exception { // kill -9
    var metrics = new SimpleMeterRegistry();
    var settings = Wiring.settings(platform.server().address(), List.of());
    var tail = new StreamTail(redis, 1, metrics);
    var flows =
        new WorkflowModule(
            settings.section(WorkflowsConfig.class),
            settings.section(CompatConfig.class),
            redis,
            kafka.config(),
            tail,
            ResultFiles.NONE,
            new Traces(ObserveConfig.standard()),
            metrics,
            CLOCK);
    try (var own =
        new DeadTopicModule(
            kafka.config(), redis, tasks, RestartResults.tasks(flows.taskStarter()), CLOCK)) {
      var ids = new ArrayList<String>();
      for (int i = 0; i < 3; i++) ids.add("task-" + nextTask.getAndIncrement());
      ids.forEach(DeadLettersIT::deadTask);
      var before = ends("tasks");

      workOff(own.sources(), "tasks", death, ids);

      assertThat(ends("tasks") - before).isEqualTo(3);
      for (var id : ids)
        assertThat(tasks.find(id).orElseThrow()).containsEntry("status", "pending");
    } finally {
      flows.stop();
    }
  }

  @ParameterizedTest
  @EnumSource(Death.class)
  void whereverAGatewayDiesEachMessageGoesOnce(Death death) throws Exception { // kill -9
    var broker = BrokerJ.shared().config();
    try (var stranger = new ForeignProgram(BrokerJ.shared().port());
        var publisher = new AmqpPublisher(broker, new SimpleMeterRegistry());
        var queues = new DeadQueueModule(broker, publisher, redis, CLOCK)) {
      var ids = messages(stranger, "a", "b", "c", "d");

      workOff(queues.sources(), "crawler_queue", death, ids);

      assertThat(stranger.bodies("crawler_queue.gone")).containsExactly("a", "b", "c", "d");
      assertThat(stranger.depth("crawler_queue.dead")).isZero();
      stranger.drain("crawler_queue.gone");
    }
  }

  @Test
  void whoDiedBeforeTheLetterWasTakenOutIsSucceededByWhoTakesIt() throws Exception { // kill -9
    var broker = BrokerJ.shared().config();
    try (var stranger = new ForeignProgram(BrokerJ.shared().port());
        var publisher = new AmqpPublisher(broker, new SimpleMeterRegistry());
        var queues = new DeadQueueModule(broker, publisher, redis, CLOCK)) {
      var id = messages(stranger, "m").getFirst();
      var runs = new RedriveStore(redis, Duration.ofMillis(300), Duration.ofDays(1));
      runs.create("rd-noted", List.of(new DeadLetterRef("crawler_queue", id)), redriveAt(100));
      runs.begin(runs.take().orElseThrow(), 0, "");
      var handled = new HandledDeadLetterStore(redis);
      handled.note("crawler_queue", id.substring("crawler_queue:".length()), How.REDRIVEN, THEN);

      finish(runs, "rd-noted", new DeadLetterCatalog(redis, jobs, CLOCK, queues.sources()), 1);

      assertThat(runs.find("rd-noted").orElseThrow().counts().redriven()).isEqualTo(1);
      assertThat(stranger.depth("crawler_queue.dead")).isZero();
      assertThat(stranger.depth("crawler_queue.gone")).isZero(); // nobody sent it once more
      assertThat(handled.count("crawler_queue")).isZero();
    }
  }

  private static List<String> messages(ForeignProgram stranger, String... bodies) throws Exception {
    stranger.queue("crawler_queue.gone");
    stranger.queue("crawler_queue.dead");
    var ids = new ArrayList<String>();
    for (var body : bodies) {
      var headers =
          Map.<String, Object>of("tidemill-id", body, "tidemill-origin", "crawler_queue.gone");
      stranger.publish("crawler_queue.dead", bytes(body), headers);
      ids.add("crawler_queue:" + body);
    }
    stranger.confirm();
    return ids;
  }

  private static void workOff(
      Map<String, DeadLetterSource> sources, String name, Death death, List<String> ids) {
    var mortal = new MortalSource(requireNonNull(sources.get(name)), death, 2);
    var run = "rd-" + name + death;
    var runs = new RedriveStore(redis, Duration.ofMillis(600), Duration.ofDays(1));
    var wanted = ids.stream().map(id -> new DeadLetterRef(name, id)).toList();
    runs.create(run, wanted, redriveAt(1000));

    finish(runs, run, new DeadLetterCatalog(redis, jobs, CLOCK, Map.of(name, mortal)), 3);

    assertThat(mortal.left()).isZero();
    var counts = runs.find(run).orElseThrow().counts();
    assertThat(counts.redriven()).isEqualTo(ids.size());
    assertThat(counts.failed()).isZero();
  }

  private static Redrive.Order redriveAt(int rate) {
    return new Redrive.Order(Redrive.Action.REDRIVE, "", "", Json.object(), rate);
  }

  // As many gateways as die, and one more.
  private static void finish(
      RedriveStore runs, String run, DeadLetterCatalog letters, int gateways) {
    var runners = new ArrayList<RedriveRunner>();
    for (int i = 0; i < gateways; i++) runners.add(new RedriveRunner(runs, letters));
    runners.forEach(RedriveRunner::start);
    await()
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(30))
        .until(() -> runs.find(run).orElseThrow().state() == Redrive.State.DONE);
    runners.forEach(RedriveRunner::stop);
  }

  @Test
  void ofManyThatRedriveTheSameRecordOneDoes() throws Exception {
    var letter = new OutgoingRecord("crawl-requests.dead", bytes("one"), List.of(), bytes("{}"));
    var id = "crawl-requests:0-" + kafka.publisher().publish(letter).offset();
    var before = ends("crawl-requests");

    var answers = new ArrayList<Integer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Integer> redrive = () -> redrive(id, "").status();
      for (var answer : threads.invokeAll(Collections.nCopies(6, redrive)))
        answers.add(answer.get());
    }

    assertThat(answers).containsOnlyOnce(202).contains(409);
    assertThat(ends("crawl-requests") - before).isEqualTo(1);
  }

  @Test
  void discardedLettersStayInTheirTopicAndAreShownNoLonger() throws Exception {
    var letter = new OutgoingRecord("crawl-requests.dead", bytes("d"), List.of(), bytes("{}"));
    var id = "crawl-requests:0-" + kafka.publisher().publish(letter).offset();
    deadTask("task-60");
    var total = get("/api/dead?source=crawl-requests").get("total").longValue();
    var tasksBefore = get("/api/dead?source=tasks").get("total").longValue();

    assertThat(post(6, id, "").status()).isEqualTo(200);
    assertThat(post(6, "task-60", "").status()).isEqualTo(200);

    assertThat(get("/api/dead?source=crawl-requests").get("total").longValue())
        .isEqualTo(total - 1);
    assertThat(get("/api/dead?source=tasks").get("total").longValue()).isEqualTo(tasksBefore - 1);
    assertThat(Json.text(get("/api/dead?source=crawl-requests").get("dead")))
        .doesNotContain("\"" + id + "\"");
    assertThat(get("/api/dead?source=crawl-requests&state=discarded").get("dead")).hasSize(1);
    assertThat(get("/api/dead?source=tasks&state=discarded").get("dead")).hasSize(1);
    assertThat(show(id).get("discarded_at").longValue()).isPositive();
    assertThat(redrive(id, "").status()).isEqualTo(409);
    assertThat(redrive("task-60", "").status()).isEqualTo(409);
    assertThat(post(6, "crawl-requests:0-999999", "").status()).isEqualTo(404);
    var handled = new HandledDeadLetterStore(redis);
    handled.note("crawl-requests", "0-999999@1", How.REDRIVEN, THEN);
    handled.note(HandledDeadLetterStore.TASKS, "task-gone@1", How.DISCARDED, THEN);
    var noted = handled.count("crawl-requests");
    deadTopics.sources().get("crawl-requests").tidy();
    deadTopics.sources().get("tasks").tidy();
    assertThat(handled.count("crawl-requests")).isEqualTo(noted - 1); // what is there stays noted
    assertThat(handled.count(HandledDeadLetterStore.TASKS)).isEqualTo(1);
    assertThat(redrive(id, "?again=true").status()).isEqualTo(202);
    assertThat(show(id).has("discarded_at")).isFalse();
  }

  private static String note(String id, DeadLetterCatalog letters) throws Exception {
    var row = new DeadLetterRoutes(letters).routes().get(1);
    var shown = Json.parse(answer(row, "GET", "/api/dead/" + id, id).body());
    return id.substring(id.indexOf(':') + 1) + "@" + shown.get("ts").longValue();
  }

  private static long ends(String topic) {
    try (var look = new PublishedRecordFinder(kafka.config())) {
      return look.endOffsets(topic).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  @Test
  void aMendedRecordGoesOutAndABrokenOneDoesNot() throws Exception {
    var broken = "{\"success\":\"yes\"}";
    kafka
        .publisher()
        .publish(
            new OutgoingRecord(
                "crawl-responses.dead",
                bytes("c-1"),
                List.of(
                    KafkaHeader.of("id", "c-1"),
                    KafkaHeader.of("email", "a@example.org"),
                    KafkaHeader.of("dead-reason", "success must be true or false"),
                    KafkaHeader.of("dead-partition", "0")),
                bytes(broken)));
    var id = get("/api/dead?source=crawl-responses").get("dead").get(0).get("id").stringValue();

    var shown = show(id);
    var wrong = post(3, id, "{\"value\":\"{}\"}");
    var refused = post(2, id, "{\"value\":\"{}\"}");
    var right = "{\"value\":\"{\\\"success\\\":true,\\\"scrapedData\\\":1}\"}";
    var valid = post(3, id, right);
    var nobody = post(2, id, "{\"headers\":[{\"name\":\"id\",\"value\":\"c-2\"}]}");
    var mended = post(2, id, right);

    assertThat(shown.get("schema").stringValue())
        .isEqualTo("/contracts/crawl-response.schema.json");
    assertThat(shown.get("editable").booleanValue()).isTrue();
    assertThat(wrong.body()).asString(UTF_8).contains("\"valid\":false");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body()).asString(UTF_8).contains("violations");
    assertThat(valid.body()).asString(UTF_8).isEqualTo("{\"valid\":true,\"violations\":[]}");
    assertThat(nobody.status()).isEqualTo(422);
    assertThat(mended.status()).isEqualTo(202);
    assertThat(post(2, id, right).status()).isEqualTo(409);
    try (var look = new PublishedRecordFinder(kafka.config())) {
      var sent = look.since("crawl-responses", 0, 0, Instant.EPOCH, _ -> true);
      assertThat(sent).hasSize(1);
      assertThat(sent.getFirst().value())
          .asString(UTF_8)
          .isEqualTo("{\"success\":true,\"scrapedData\":1}");
      assertThat(sent.getFirst().key()).asString(UTF_8).isEqualTo("c-1");
      assertThat(sent.getFirst().header("id").orElseThrow()).asString(UTF_8).isEqualTo("c-1");
    }
  }

  @Test
  void aMendedMessageGoesToItsQueueAndTheLetterStays() throws Exception {
    var broker = BrokerJ.shared().config();
    try (var stranger = new ForeignProgram(BrokerJ.shared().port());
        var publisher = new AmqpPublisher(broker, new SimpleMeterRegistry());
        var queues = new DeadQueueModule(broker, publisher, redis, CLOCK)) {
      routes = new DeadLetterRoutes(new DeadLetterCatalog(redis, jobs, CLOCK, queues.sources()));
      stranger.queue("crawler_queue.gone");
      stranger.queue("crawler_queue.dead");
      stranger.publish(
          "crawler_queue.dead",
          bytes("{\"url\":1}"),
          new BasicProperties.Builder()
              .headers(
                  Map.of(
                      "tidemill-id", "7", "tidemill-origin", "crawler_queue.gone", "theirs", "a"))
              .build());
      stranger.confirm();
      var right =
          Json.text(
              Json.object()
                  .put(
                      "value",
                      "{\"url\":\"https://e.org/\",\"timestamp\":\"2026-01-04T01:09:27Z\",\"reason\":\"404\"}"));

      assertThat(post(2, "crawler_queue:7", "{\"value\":\"{}\"}").status()).isEqualTo(422);
      assertThat(post(2, "crawler_queue:7", right).status()).isEqualTo(202);
      assertThat(post(2, "crawler_queue:7", "").status()).isEqualTo(409);
      assertThat(show("crawler_queue:7").has("redriven_at")).isTrue();
      assertThat(stranger.drain("crawler_queue.gone")).hasSize(1);
      assertThat(post(2, "crawler_queue:7?again=true", "crawler_queue:7", "").status())
          .isEqualTo(202);
      assertThat(show("crawler_queue:7").get("status").intValue()).isEqualTo(404);
      assertThat(stranger.drain("crawler_queue.gone")).hasSize(1);
      assertThat(new HandledDeadLetterStore(redis).count("crawler_queue")).isZero();
    }
  }

  @Test
  void aBrokerThatIsDownIsReportedAndTheOthersAnswer() throws Exception {
    var nowhere = kafka.config().withBootstrap("127.0.0.1:1");
    try (var alone =
        new DeadTopicModule(
            nowhere, redis, tasks, (id, _) -> new RedriveResult.TaskRestarted(id), CLOCK)) {
      routes = new DeadLetterRoutes(new DeadLetterCatalog(redis, jobs, CLOCK, alone.sources()));

      var sources = Json.parse(answer(routes.routes().get(4), "GET", "/", "").body());
      var all = get("/api/dead?source=all");

      assertThat(sources.get("sources").valueStream())
          .anySatisfy(source -> {
            assertThat(source.get("name").stringValue()).isEqualTo("jobs");
            assertThat(source.get("status").stringValue()).isEqualTo("up");
          })
          .anySatisfy(source -> {
            assertThat(source.get("name").stringValue()).isEqualTo("workflows");
            assertThat(source.get("status").stringValue()).isEqualTo("down");
            assertThat(source.get("detail").stringValue()).isEqualTo("Kafka does not answer");
          });
      assertThat(all.get("down")).hasSize(4);
    }
  }

  private Response.Body post(int route, String id, String body) throws Exception {
    return post(route, id, id, body);
  }

  private Response.Body post(int route, String path, String id, String body) throws Exception {
    var request = Request.of("POST", "/" + path).withPathParam("id", id).withBody(bytes(body));
    return (Response.Body) routes.routes().get(route).handler().handle(request);
  }

  @Test
  void gatewaysTakeTurnsAtAQueue() throws Exception {
    var turns = new RedisLock(redis);

    assertThat(turns.take("dead:x", "a", Duration.ofMinutes(1))).isTrue();
    assertThat(turns.take("dead:x", "a", Duration.ofMinutes(1))).isTrue();
    assertThat(turns.take("dead:x", "b", Duration.ofMinutes(1))).isFalse();
    turns.leave("dead:x", "b");
    assertThat(turns.take("dead:x", "b", Duration.ofMinutes(1))).isFalse();
    turns.leave("dead:x", "a");
    assertThat(turns.take("dead:x", "b", Duration.ofMillis(1))).isTrue();
    await().until(() -> turns.take("dead:x", "a", Duration.ofMillis(1)));
  }

  @Test
  void whatIsNotThereIsUnknown() throws Exception {
    for (var id : List.of("workflows:0-99", "workflows:9-0", "nobody:0-0", "task-x", "1-0", "x")) {
      assertThat(answer(routes.routes().get(1), "GET", "/api/dead/" + id, id).status())
          .as(id)
          .isEqualTo(404);
      assertThat(redrive(id, "").status()).as(id).isEqualTo(404);
    }
  }

  @Test
  void wrongQuestionsAreRefused() throws Exception {
    for (var query :
        List.of(
            "source=mail",
            "limit=0",
            "limit=1001",
            "before=x",
            "source=workflows&before=1",
            "source=tasks&before=~x",
            "source=tasks&before=~-1",
            "source=tasks&before=~4294967295")) {
      assertThatThrownBy(() -> get("/api/dead?" + query))
          .as(query)
          .isInstanceOf(Parameters.Wrong.class);
    }
  }

  private static void deadTask(String id) {
    var index = Integer.parseInt(id.substring(5));
    var created = new TaskCreated(id, "data_export", Json.object(), 0, 3, THEN.plusSeconds(index));
    tasks.create(NewExecution.of(created, Map.of()), null, "{}");
    var error = "{\"code\":\"SMTP_ERROR\",\"message\":\"no answer\"}";
    tasks.report(
        id,
        new ExecutionStore.Report(
            "",
            ExecutionStatus.DEAD_LETTER,
            null,
            null,
            Map.of("error", error, "retryCount", "3", "completedAt", "2026-01-04T01:12:00.000Z")));
  }

  private JsonNode get(String target) throws Exception {
    var answer = answer(routes.routes().get(0), "GET", target, "");
    assertThat(answer.status()).as(new String(answer.body(), UTF_8)).isEqualTo(200);
    return Json.parse(answer.body());
  }

  private JsonNode show(String id) throws Exception {
    return Json.parse(answer(routes.routes().get(1), "GET", "/api/dead/" + id, id).body());
  }

  private Response.Body redrive(String id, String query) throws Exception {
    var target = "/api/dead/" + id + "/redrive" + query;
    return answer(routes.routes().get(2), "POST", target, id);
  }

  private static Response.Body answer(Route route, String method, String target, String id)
      throws Exception {
    var request = Request.of(method, target).withPathParam("id", id);
    return (Response.Body) route.handler().handle(request);
  }
}

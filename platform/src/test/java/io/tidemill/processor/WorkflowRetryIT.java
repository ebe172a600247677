package io.tidemill.processor;

import static io.tidemill.processor.TestSteps.step;
import static io.tidemill.processor.TestSteps.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.api.Step;
import io.tidemill.api.StepOutcome;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.WorkFailure;
import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.redis.Redis;
import io.tidemill.redis.RedisConfig;
import io.tidemill.support.WorkflowGateway;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Our gateway and our processor together: what failed or was canceled begins again (C2.4).
class WorkflowRetryIT {
  private static final AtomicBoolean broken = new AtomicBoolean(true);
  private static final AtomicBoolean slow = new AtomicBoolean(true);

  @TempDir static Path folder;
  private static WorkflowGateway gateway;
  private static Redis redis;
  private static ExecutionProcessor processor;

  @BeforeAll
  static void start() throws Exception {
    gateway = new WorkflowGateway(folder);
    gateway.start();
    var kafka = new KafkaConfig(gateway.kafkaServer().address(), 1);
    try (var topics = new TopicProvisioner(kafka)) {
      topics.pin(
          ExecutionNames.PROCESSORS, List.of(ExecutionNames.WORKFLOWS, ExecutionNames.TASKS));
    }
    var settings = WorkflowRig.settings(gateway.redisServer().address());
    redis = new Redis(settings.section(RedisConfig.class));
    processor =
        WorkflowRig.processor(
            settings,
            kafka,
            redis,
            "worker-1",
            InstantSource.system(),
            List.of(appending("a", 10, 1), appending("b", 0, 1), last(), sleepy(), picky()),
            List.of(type("data_export", _ -> task())),
            new SimpleMeterRegistry());
    processor.start();
  }

  @AfterAll
  static void stop() throws Exception {
    processor.stop();
    redis.close();
    gateway.close();
  }

  private static Step appending(String name, long total, long failed) {
    return step(
        name,
        call -> {
          var all = new ArrayList<JsonNode>();
          try (var records = call.input().open()) {
            for (var next = records.next(); next != null; next = records.next()) all.add(next);
          }
          all.add(Json.tree(name));
          return new StepOutcome.Done(
              Json.object().put("all", Json.text(all)),
              MemoryRecords.of(all),
              new Counts(total, total, failed));
        });
  }

  private static Step last() {
    return step(
        "c",
        call -> {
          if (broken.get()) throw WorkFailure.permanent("BROKEN", "not yet");
          return appending("c", 0, 0).run(call);
        });
  }

  private static Step picky() {
    return TestSteps.checked(
        appending("picky", 0, 0),
        options -> {
          if (options.isEmpty()) return;
          throw WorkFailure.permanent("INVALID_OPTIONS", "picky: expected no options");
        });
  }

  private static Step sleepy() {
    return step(
        "sleepy",
        call -> {
          if (slow.get()) Thread.sleep(60_000);
          return appending("sleepy", 0, 0).run(call);
        });
  }

  private static tools.jackson.databind.node.ObjectNode task() throws WorkFailure {
    if (broken.get()) throw WorkFailure.permanent("BROKEN", "not yet");
    return Json.object().put("rows", 1);
  }

  private static List<String> types(String topic, String id) {
    return gateway.records(topic, id).stream()
        .map(record -> Json.parse(record.value()).get("eventType").stringValue())
        .toList();
  }

  private static void again(String path, String body) {
    // Its last event may still be on its way.
    await().until(() -> gateway.post(path + "/retry", body).statusCode() == 202);
  }

  @Test
  void aWorkflowBeginsAgainInTheMiddleWithWhatTheStepBeforeLeft() {
    broken.set(true);
    var id = gateway.workflow("a", "b", "c");
    var path = "/api/workflows/" + id;
    gateway.awaitStatus(path, "failed");

    broken.set(false);
    again(path, "{\"fromStep\":1}");
    gateway.awaitStatus(path, "completed");

    var shown = gateway.get(path);
    assertThat(shown.at("/results/2/result/all").stringValue()).isEqualTo("[\"a\",\"b\",\"c\"]");
    assertThat(shown.at("/summary/failedRecords").intValue()).isEqualTo(2);
    assertThat(types("workflows", id))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.failed",
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.completed");
    assertThat(gateway.records("workflows", id).stream().map(ConsumerRecord::partition).distinct())
        .hasSize(1);
  }

  @Test
  void aWorkflowGoesOnWithTheStepThatFailed() {
    broken.set(true);
    var id = gateway.workflow("a", "c");
    gateway.awaitStatus("/api/workflows/" + id, "failed");

    broken.set(false);
    again("/api/workflows/" + id, "");
    gateway.awaitStatus("/api/workflows/" + id, "completed");

    assertThat(types("workflows", id).stream().filter("workflow.step.completed"::equals))
        .hasSize(2);
  }

  @Test
  void optionsOfALaterStepAreRefusedBeforeTheFirstOneRuns() { // C2.8
    var body =
        "{\"name\":\"test\",\"steps\":[\"a\",\"picky\"],\"input\":{\"picky\":{\"salt\":true}}}";
    var path = gateway.post("/api/workflows", body).headers().firstValue("Location").orElseThrow();
    gateway.awaitStatus(path, "failed");

    var shown = gateway.get(path);
    assertThat(shown.at("/error/code").stringValue()).isEqualTo("INVALID_OPTIONS");
    assertThat(shown.get("currentStep").stringValue()).isEqualTo("picky");
    assertThat(shown.get("results")).isEmpty();

    again(path, "{\"input\":{\"picky\":{}}}");
    gateway.awaitStatus(path, "completed");
    assertThat(gateway.get(path).at("/results/1/result/all").stringValue())
        .isEqualTo("[\"a\",\"picky\"]");
  }

  @Test
  void aCanceledWorkflowBeginsAgain() {
    var id = gateway.workflow("sleepy");
    var path = "/api/workflows/" + id;
    gateway.awaitStatus(path, "processing");
    assertThat(gateway.post(path + "/cancel", "").statusCode()).isEqualTo(200);

    slow.set(false);
    again(path, "");
    gateway.awaitStatus(path, "completed");

    assertThat(types("workflows", id))
        .containsExactly(
            "workflow.created",
            "workflow.processing",
            "workflow.failed",
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.completed");
  }

  @Test
  void aDeadTaskIsRedriven() {
    broken.set(true);
    var answer = gateway.post("/api/tasks", "{\"type\":\"data_export\",\"data\":{}}");
    var path = answer.headers().firstValue("Location").orElseThrow();
    gateway.awaitStatus(path, "dead_letter");

    broken.set(false);
    again(path, "");
    gateway.awaitStatus(path, "completed");

    assertThat(gateway.get(path).at("/result/rows").intValue()).isEqualTo(1);
    assertThat(gateway.get(path).get("error").isNull()).isTrue();
  }
}

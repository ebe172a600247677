package io.tidemill.workflow.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemill.contract.workflow.ExecutionNames;
import io.tidemill.json.Json;
import io.tidemill.kafka.KafkaConfig;
import io.tidemill.kafka.TopicProvisioner;
import io.tidemill.support.SseClient;
import io.tidemill.support.WorkflowGateway;
import io.tidemill.testing.ChildProcessGuard;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs in Python on the other side of our gateway: the examples as they are (G1, C2).
class WorkflowForeignIT {
  private static final Path EXAMPLES = Path.of("..", "examples").toAbsolutePath().normalize();
  // Debian's own, which has Debian's packages, whatever else stands first on the path.
  private static final String PYTHON =
      Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";

  @TempDir static Path folder;
  private static WorkflowGateway gateway;
  private static Process processor;

  @BeforeAll
  static void start() throws Exception {
    gateway = new WorkflowGateway(folder);
    gateway.start();
    try (var topics = new TopicProvisioner(new KafkaConfig(gateway.kafkaServer().address(), 1))) {
      topics.pin(
          ExecutionNames.PROCESSORS, List.of(ExecutionNames.WORKFLOWS, ExecutionNames.TASKS));
    }
    assumeTrue(python("-c", "import kafka").waitFor() == 0, "python3 has no kafka");
    processor = python(EXAMPLES.resolve("foreign_processor.py").toString());
  }

  @AfterAll
  static void stop() throws Exception {
    if (processor != null) processor.destroy();
    gateway.close();
  }

  private static Process python(String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(PYTHON));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(ChildProcessGuard.guarded(command)).redirectErrorStream(true);
    builder.redirectOutput(Files.createTempFile(folder, "python", ".log").toFile());
    builder.environment().put("TIDEMILL_KAFKA_BOOTSTRAP", gateway.kafkaServer().address());
    builder.environment().put("RETRY_AFTER_S", "0.1");
    return builder.start();
  }

  private static List<String> types(String path) throws Exception {
    try (var events = new SseClient(gateway.port(), path + "/events", null)) {
      return events.rest().stream().map(SseClient.Event::type).toList();
    }
  }

  @Test
  void aProcessorInPythonRunsOurWorkflow() throws Exception { // C2.7
    var answer =
        gateway.post(
            "/api/workflows",
            "{\"name\":\"Numbers\",\"steps\":[\"validate\",\"sum\"],"
                + "\"input\":{\"records\":[{\"n\":1},{\"n\":2},{\"n\":\"x\"}]}}");
    var path = answer.headers().firstValue("Location").orElseThrow();

    gateway.awaitStatus(path, "completed");

    var shown = gateway.get(path);
    assertThat(shown.at("/results/0/result/invalidRecords").intValue()).isEqualTo(1);
    assertThat(shown.at("/results/1/result/sum").intValue()).isEqualTo(3);
    assertThat(shown.at("/summary/totalRecords").intValue()).isEqualTo(3);
    assertThat(shown.get("stepsCompleted").intValue()).isEqualTo(2);
    assertThat(types(path))
        .containsExactly(
            "hello",
            "workflow.created",
            "workflow.processing",
            "workflow.step.completed",
            "workflow.step.completed",
            "workflow.completed");
  }

  @Test
  void aProcessorInPythonRetriesOurTask() throws Exception { // C2.10
    var answer =
        gateway.post(
            "/api/tasks",
            "{\"type\":\"data_export\",\"data\":{\"failures\":1,\"records\":[{\"n\":1}]}}");
    var path = answer.headers().firstValue("Location").orElseThrow();

    gateway.awaitStatus(path, "completed");

    assertThat(gateway.get(path).get("retryCount").intValue()).isEqualTo(1);
    assertThat(gateway.get(path).at("/result/rows").intValue()).isEqualTo(1);
    assertThat(types(path))
        .containsExactly(
            "hello",
            "task.created",
            "task.processing",
            "task.failed",
            "task.processing",
            "task.completed");
  }

  @Test
  void aFailedWorkflowIsRetriedByAProcessorInPython() throws Exception { // C2.4
    var id = gateway.workflow("nonsense");
    gateway.awaitStatus("/api/workflows/" + id, "failed");

    assertThat(gateway.post("/api/workflows/" + id + "/retry", "").statusCode()).isEqualTo(202);

    await()
        .until(() ->
            gateway.records("workflows", id).stream()
                    .map(record -> new String(record.value(), UTF_8))
                    .filter(event -> event.contains("workflow.failed"))
                    .count()
                == 2);
    gateway.awaitStatus("/api/workflows/" + id, "failed");
    assertThat(gateway.get("/api/workflows/" + id).at("/error/code").stringValue())
        .isEqualTo("UNKNOWN_STEP");
  }

  @Test
  void aGatewayInPythonIsShownByOurs() throws Exception { // C2.2: its partitions are its own
    var log = folder.resolve("gateway.log");
    var builder =
        new ProcessBuilder(
                PYTHON,
                EXAMPLES.resolve("foreign_gateway.py").toString(),
                "workflow",
                "{\"name\":\"Theirs\",\"steps\":[\"sum\"],\"input\":{\"records\":[{\"n\":4}]}}")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("TIDEMILL_KAFKA_BOOTSTRAP", gateway.kafkaServer().address());
    var theirs = builder.start();

    assertThat(theirs.waitFor(30, TimeUnit.SECONDS)).isTrue();

    assertThat(theirs.exitValue()).as(Files.readString(log)).isZero();
    var id = Files.readString(log).lines().findFirst().orElseThrow();
    gateway.awaitStatus("/api/workflows/" + id, "completed");
    assertThat(gateway.get("/api/workflows/" + id).get("name").stringValue()).isEqualTo("Theirs");
    assertThat(
            Json.parse(gateway.post("/api/workflows/" + id + "/cancel", "").body())
                .get("status_now")
                .stringValue())
        .isEqualTo("completed");
  }
}

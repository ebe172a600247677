package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.testing.ChildProcessGuard;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The two shell examples of contract C2 as they are written, with Kafka's own console tools
/// (C2.12).
class ShellExamplesIT {
  private static final String TEST_EVENT =
      "wf-test|{\"eventType\":\"workflow.created\",\"eventId\":\"test-1\",\"timestamp\":\"2026-01-04T01:00:00Z\","
          + "\"payload\":{\"workflowId\":\"wf-test\",\"name\":\"Test\",\"steps\":[\"step1\"],\"priority\":\"low\","
          + "\"createdAt\":\"2026-01-04T01:00:00Z\"}}\n";

  @TempDir Path folder;

  @Test
  void theTestEventIsPublishedAndEverythingCanBeRead() throws Exception {
    var data = folder.resolve("data");
    try (var _ = Product.up(data, "--only", "gateway,processor")) {
      var kafka = address(data, "kafka");
      var producer =
          start(
              "ConsoleProducer",
              tool(
                  "org.apache.kafka.tools.ConsoleProducer",
                  "--bootstrap-server",
                  kafka,
                  "--topic",
                  "workflows",
                  "--property",
                  "parse.key=true",
                  "--property",
                  "key.separator=|"));
      try (var in = producer.getOutputStream()) {
        in.write(TEST_EVENT.getBytes(StandardCharsets.UTF_8));
      }
      assertThat(producer.waitFor(60, TimeUnit.SECONDS)).isTrue();

      var workflow = address(data, "http") + "/api/workflows/wf-test";
      await()
          .atMost(Product.PATIENCE)
          .until(() -> get(workflow).body().contains("\"status\":\"failed\""));
      var shown = Json.parse(get(workflow).body());
      assertThat(shown.at("/error/code").stringValue()).isEqualTo("UNKNOWN_STEP");

      var consumer =
          start(
              "ConsoleConsumer",
              ChildProcessGuard.guarded(
                  tool(
                      "org.apache.kafka.tools.consumer.ConsoleConsumer",
                      "--bootstrap-server",
                      kafka,
                      "--topic",
                      "workflows",
                      "--from-beginning",
                      "--property",
                      "print.key=true",
                      "--property",
                      "key.separator=|")));
      try {
        await().atMost(Product.PATIENCE).until(() -> lines("ConsoleConsumer").size() == 3);
        assertThat(lines("ConsoleConsumer"))
            .satisfiesExactly(
                line -> assertThat(line).startsWith("wf-test|{\"eventType\":\"workflow.created\""),
                line ->
                    assertThat(line).startsWith("wf-test|{\"eventType\":\"workflow.processing\""),
                line ->
                    assertThat(line)
                        .startsWith("wf-test|{\"eventType\":\"workflow.failed\"")
                        .contains("\"code\":\"UNKNOWN_STEP\""));
      } finally {
        consumer.destroy();
      }
    }
  }

  private static List<String> tool(String main, String... arguments) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
    command.addAll(List.of(arguments));
    return command;
  }

  private Process start(String name, List<String> command) throws IOException {
    return new ProcessBuilder(command)
        .redirectError(folder.resolve("errors").toFile())
        .redirectOutput(output(name).toFile())
        .start();
  }

  private Path output(String tool) {
    return folder.resolve(tool + ".out");
  }

  private List<String> lines(String tool) throws IOException {
    return Files.readAllLines(output(tool)).stream()
        .filter(line -> line.startsWith("wf-test|"))
        .toList();
  }
}

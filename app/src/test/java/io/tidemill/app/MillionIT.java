package io.tidemill.app;

import static io.tidemill.app.Product.address;
import static io.tidemill.app.Product.get;
import static io.tidemill.app.Product.post;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemill.json.Json;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A million records through a workflow, in a processor with little memory (C2.8).
class MillionIT {
  private static final int RECORDS = 1_000_000;
  private static final String WORKFLOW =
      """
      {"name": "Million", "steps": ["validate", "transform", "store"], "input": {
        "object": "s3://inputs/million.ndjson.gz",
        "validate": {"rules": {"age": {"type": "number", "max": 94}}},
        "transform": {"derive": {"adult": "age >= 18"}, "drop": ["email"]},
        "store": {"format": "parquet"}}}
      """;

  @TempDir Path folder;

  @Test
  void aMillionRecordsFitIntoLittleMemory() throws Exception {
    var data = folder.resolve("data");
    try (var _ = Product.up(data, "--only", "gateway")) {
      upload(address(data, "s3"));
      var env =
          Map.of(
              "TIDEMILL_KAFKA_BOOTSTRAP", address(data, "kafka"),
              "TIDEMILL_REDIS_URL", address(data, "redis"),
              "TIDEMILL_AMQP_URL", address(data, "amqp"),
              "TIDEMILL_S3_ENDPOINT", address(data, "s3"),
              "TIDEMILL_DATA_DIR", folder.resolve("processor").toString());
      try (var processor =
          Product.start(folder.resolve("log"), env, "-Xmx256m", List.of("run", "processor"))) {
        processor.awaitLog("ready");
        var http = address(data, "http");
        var answer = Json.parse(post(http + "/api/workflows", WORKFLOW).body());
        var workflow = http + "/api/workflows/" + answer.get("workflowId").stringValue();

        var shown =
            await()
                .atMost(Duration.ofMinutes(3))
                .until(() -> Json.parse(get(workflow).body()), MillionIT::hasEnded);

        assertThat(shown.get("status").stringValue()).as(shown.toString()).isEqualTo("completed");
        assertThat(shown.get("summary"))
            .isEqualTo(
                Json.parse(
                    "{\"totalRecords\":1000000,\"successfulRecords\":950000,\"failedRecords\":50000}"));
        assertThat(shown.at("/results/2/result/recordsStored").intValue()).isEqualTo(950_000);
      }
    }
  }

  private static boolean hasEnded(JsonNode workflow) {
    return !List.of("pending", "processing").contains(workflow.get("status").stringValue());
  }

  private void upload(String endpoint) throws IOException {
    var file = folder.resolve("million.ndjson.gz");
    try (var out =
        new BufferedWriter(
            new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), UTF_8))) {
      for (int i = 0; i < RECORDS; i++) {
        out.write(
            "{\"id\":" + i + ",\"email\":\"user" + i + "@example.com\",\"age\":" + i % 100 + "}\n");
      }
    }
    try (var blobs = new ObjectStore(new S3Config(endpoint, "tidemill", "tidemill-secret"))) {
      blobs.createBucketIfMissing("inputs");
      blobs.put("inputs", "million.ndjson.gz", file, "application/gzip", Map.of());
    }
  }
}

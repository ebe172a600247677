package io.tidemill.processor.export;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.analytics.ParquetFiles;
import io.tidemill.api.RecordWriter;
import io.tidemill.api.Records;
import io.tidemill.api.StepCall;
import io.tidemill.api.StepOutcome.Counts;
import io.tidemill.api.StepOutcome.Done;
import io.tidemill.api.TaskCall;
import io.tidemill.api.WorkFailure;
import io.tidemill.config.ByteSize;
import io.tidemill.json.Json;
import io.tidemill.processor.export.RecordExporter.ExportOptions;
import io.tidemill.processor.input.InputSources;
import io.tidemill.processor.input.ObjectAddress;
import io.tidemill.processor.input.ObjectSource;
import io.tidemill.processor.record.InlineRecords;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.S3Server;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Exports into a real object store, downloaded by their links.
class RecordExporterIT {
  private static final String LIST = "{\"source\":{\"records\":[{\"a\":1},{\"a\":-2}]}";

  @TempDir static Path folder;
  @TempDir static Path scratch;
  private static S3Server server;
  private static ObjectStore blobs;
  private static RecordExporter exporter;
  private static DataExportTask task;

  @BeforeAll
  static void start() {
    server = new S3Server(folder, 0, "key", "secret");
    server.start();
    blobs = new ObjectStore(new S3Config(server.address(), "key", "secret"));
    var tables =
        new ParquetFiles(new AnalyticsConfig("", ByteSize.ofMib(256), 2), folder.resolve("spill"));
    exporter =
        new RecordExporter(
            blobs, new ExportConfig("exports", Duration.ofHours(24)), tables, scratch);
    var inputs = new InputSources(Map.of("object", new ObjectSource(blobs, List.of("exports"))));
    task = new DataExportTask(inputs, exporter);
  }

  @AfterAll
  static void stop() {
    blobs.close();
    server.close();
  }

  @AfterEach
  void nothingIsLeftInTheScratchFolder() throws IOException {
    try (var left = Files.list(scratch)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void everyFormatCanBeDownloadedByItsLink() throws Exception {
    for (var format : RecordFormat.values()) {
      var result = run("task-1", LIST + ",\"format\":\"" + format.wire() + "\"}");

      var object = "s3://exports/exports/task-1." + format.wire();
      assertThat(result.path("format").asString()).isEqualTo(format.wire());
      assertThat(result.path("records").asInt()).isEqualTo(2);
      assertThat(result.path("object").asString()).isEqualTo(object);
      assertThat(Instant.parse(result.path("expiresAt").asString())).isAfter(Instant.now());
      var file = download(result.path("url").asString());
      assertThat(file.statusCode()).isEqualTo(200);
      assertThat(file.headers().firstValue("content-type")).hasValue(format.contentType());
      assertThat(file.headers().firstValue("content-disposition"))
          .hasValue("attachment; filename=\"task-1." + format.wire() + "\"");
      assertThat(file.body()).hasSize(result.path("bytes").asInt());
    }
    var csv = download(run("task-1", LIST + "}").path("url").asString());
    assertThat(csv.body()).asString(UTF_8).isEqualTo("a\r\n1\r\n-2\r\n");
  }

  @Test
  void aChangedLinkOpensNothing() throws Exception {
    var url = run("task-2", LIST + "}").path("url").asString();

    assertThat(download(url.replace("task-2", "task-1")).statusCode()).isEqualTo(403);
    assertThat(download(url.replaceAll("\\?.*", "")).statusCode()).isEqualTo(403);
  }

  @Test
  void aNamedFileLiesInTheFolderOfItsTask() throws Exception {
    var result = run("task-3", LIST + ",\"format\":\"NDJSON\",\"name\":\"my-list.v2\"}");

    assertThat(result.path("object").asString())
        .isEqualTo("s3://exports/exports/task-3/my-list.v2.ndjson");
  }

  @Test
  void anExportCanBeExportedAgain() throws Exception {
    run("task-4", LIST + ",\"format\":\"ndjson\"}");

    var result = run("task-5", "{\"source\":{\"object\":\"s3://exports/exports/task-4.ndjson\"}}");

    assertThat(download(result.path("url").asString()).body())
        .asString(UTF_8)
        .isEqualTo("a\r\n1\r\n-2\r\n");
  }

  @Test
  void doneAgainItIsTheSameObject() throws Exception {
    run("task-6", LIST + "}");
    run("task-6", LIST + "}");

    assertThat(blobs.list("exports", "exports/task-6")).hasSize(1);
  }

  @Test
  void idsOfStrangersStayInTheFolder() throws Exception { // F53
    var result = run("../../etc/passwd", LIST + "}");

    assertThat(result.path("object").asString())
        .matches("s3://exports/exports/~[0-9a-f]{64}\\.csv");
  }

  @Test
  void nobodyWritesOverTheFilesOfTasks() throws Exception {
    var records = new InlineRecords(List.of(Json.object().put("a", 1)));
    var wish = new ExportOptions(RecordFormat.CSV, "");
    run("task-8", LIST + "}");
    var before = blobs.head("exports", "exports/task-8.csv").orElseThrow();

    for (var key : List.of("exports/task-8.csv", "reports/a.pdf", "records", "rejects/a")) {
      var object = ObjectAddress.parse("s3://exports/" + key);
      assertThatThrownBy(() -> exporter.exportTo(object, records, wish))
          .isInstanceOfSatisfying(
              WorkFailure.class, failure -> assertThat(failure.code()).isEqualTo("INVALID_OPTIONS"))
          .hasMessageContaining("kept for the files of tasks and steps");
    }
    exporter.exportTo(ObjectAddress.parse("s3://exports/reports.csv"), records, wish);

    assertThat(blobs.head("exports", "exports/task-8.csv")).contains(before);
    assertThat(blobs.head("exports", "reports.csv")).isPresent();
  }

  @Test
  void whatIsWrongIsNamed() {
    refused("{}", "source must be an object that names where the records are");
    refused("{\"source\":{}}", "the source is missing: expected one of records, object");
    refused(LIST + ",\"format\":\"pdf\"}", "format must be one of csv, ndjson, parquet, xlsx");
    refused(LIST + ",\"format\":7}", "format must be one of csv, ndjson, parquet, xlsx");
    for (var name : List.of("", "..", "../a", "a/b", "a\\\\b", ".hidden", "a\\u0000", "ü")) {
      refused(
          LIST + ",\"name\":\"" + name + "\"}",
          "name must be 1 to 100 letters, digits, dots, - and _");
    }
  }

  @Test
  void recordsThatCanNotBeReadLeaveNoFile() {
    blobs.createBucketIfMissing("exports");
    blobs.put("exports", "bad", "{\"a\":1}\n{".getBytes(UTF_8), "text/plain", Map.of());

    assertThatThrownBy(() -> run("task-7", "{\"source\":{\"object\":\"s3://exports/bad\"}}"))
        .isInstanceOfSatisfying(
            WorkFailure.class, failure -> assertThat(failure.code()).isEqualTo("INVALID_RECORDS"));

    assertThat(blobs.list("exports", "exports/task-7")).isEmpty();
  }

  @Test
  void theStepPassesItsRecordsOn() throws Exception {
    var records = new InlineRecords(List.of(Json.object().put("a", 1)));
    var call = new Call(records, (ObjectNode) Json.parse("{\"format\":\"ndjson\"}"));

    var done = (Done) new ExportStep(exporter).run(call);

    assertThat(done.output()).isSameAs(records);
    assertThat(done.counts()).isEqualTo(Counts.all(1));
    assertThat(done.result().path("object").asString())
        .isEqualTo("s3://exports/exports/wf-1-2.ndjson");
  }

  @Test
  void whatNobodyKnowsIsRefused() {
    refused(
        LIST + ",\"fromat\":\"csv\"}",
        "data_export: field fromat is not known: expected format, name, source");
    refused(
        "{\"source\":{\"records\":[],\"limit\":1}}",
        "source: field limit is not known: expected records");
    refusedByTheStep(
        "{\"fromat\":\"ndjson\"}", "export: option fromat is not known: expected format, name");
  }

  @Test
  void theStepCallsTheSameFaultsOptions() {
    refusedByTheStep("{\"format\":\"pdf\"}", "format must be one of csv, ndjson, parquet, xlsx");
    refusedByTheStep("{\"name\":\"../a\"}", "name must be 1 to 100 letters, digits, dots, - and _");
  }

  private static void refusedByTheStep(String options, String message) {
    var call = new Call(InlineRecords.NONE, (ObjectNode) Json.parse(options));
    assertThatThrownBy(() -> new ExportStep(exporter).run(call))
        .isInstanceOfSatisfying(
            WorkFailure.class, failure -> assertThat(failure.code()).isEqualTo("INVALID_OPTIONS"))
        .hasMessage(message);
  }

  private static void refused(String data, String message) {
    assertThatThrownBy(() -> run("task-9", data))
        .isInstanceOfSatisfying(
            WorkFailure.class, failure -> assertThat(failure.code()).isEqualTo("INVALID_INPUT"))
        .hasMessage(message);
  }

  private static ObjectNode run(String id, String data) throws Exception {
    return task.run(new Task(id, (ObjectNode) Json.parse(data)));
  }

  private static HttpResponse<byte[]> download(String url) throws Exception {
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create(url)).build();
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }
  }

  private record Task(String id, ObjectNode data) implements TaskCall {
    @Override
    public int retryCount() {
      return 0;
    }

    @Override
    public Instant createdAt() {
      return Instant.EPOCH;
    }

    @Override
    public void progress(double fraction, String message) {}
  }

  private record Call(Records input, ObjectNode options) implements StepCall {
    @Override
    public String workflowId() {
      return "wf-1";
    }

    @Override
    public String workflowName() {
      return "test";
    }

    @Override
    public int index() {
      return 2;
    }

    @Override
    public Instant startedAt() {
      return Instant.EPOCH;
    }

    @Override
    public int failures() {
      return 0;
    }

    @Override
    public int life() {
      return 0;
    }

    @Override
    public @Nullable ObjectNode state() {
      return null;
    }

    @Override
    public RecordWriter output() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void progress(double fraction, String message) {}
  }
}

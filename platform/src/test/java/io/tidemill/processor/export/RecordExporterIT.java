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
import io.tidemill.http.BasePath;
import io.tidemill.http.PublicUrl;
import io.tidemill.json.Json;
import io.tidemill.processor.export.RecordExporter.ExportOptions;
import io.tidemill.processor.input.InputSources;
import io.tidemill.processor.input.ObjectSource;
import io.tidemill.processor.record.FileOwner;
import io.tidemill.processor.record.InlineRecords;
import io.tidemill.s3.ObjectAddress;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.servers.S3Server;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/// Exports into a real object store.
class RecordExporterIT {
  private static final String LIST = "{\"source\":{\"records\":[{\"a\":1},{\"a\":-2}]}";

  private static final BasePath BASE = new BasePath("/tidemill");
  private static final FileOwner OWNER = FileOwner.task("task-6");

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
            blobs, new ExportConfig("exports"), tables, new PublicUrl("", BASE), scratch);
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
  void everyFormatLiesWholeInTheStoreAndHasALinkToTheGateway() throws Exception {
    for (var format : RecordFormat.values()) {
      var result = run("task-1", LIST + ",\"format\":\"" + format.wire() + "\"}");

      var object = "s3://exports/exports/task-1." + format.wire();
      assertThat(result.path("format").asString()).isEqualTo(format.wire());
      assertThat(result.path("records").asInt()).isEqualTo(2);
      assertThat(result.path("object").asString()).isEqualTo(object);
      assertThat(result.path("url").asString())
          .isEqualTo("/tidemill/api/tasks/task-1/files/task-1." + format.wire());
      var file = blobs.head("exports", "exports/task-1." + format.wire()).orElseThrow();
      assertThat(file.contentType()).isEqualTo(format.contentType());
      assertThat(file.size()).isEqualTo(result.path("bytes").asInt());
    }
    assertThat(text(run("task-1", LIST + "}"))).isEqualTo("a\r\n1\r\n-2\r\n");
  }

  @Test
  void aNamedFileLiesInTheFolderOfItsTask() throws Exception {
    var result = run("task-3", LIST + ",\"format\":\"NDJSON\",\"name\":\"my-list.v2\"}");

    assertThat(result.path("object").asString())
        .isEqualTo("s3://exports/exports/task-3/my-list.v2.ndjson");
    assertThat(result.path("url").asString())
        .isEqualTo("/tidemill/api/tasks/task-3/files/my-list.v2.ndjson");
  }

  @Test
  void anExportCanBeExportedAgain() throws Exception {
    run("task-4", LIST + ",\"format\":\"ndjson\"}");

    var result = run("task-5", "{\"source\":{\"object\":\"s3://exports/exports/task-4.ndjson\"}}");

    assertThat(text(result)).isEqualTo("a\r\n1\r\n-2\r\n");
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
      assertThatThrownBy(() -> exporter.exportTo(OWNER, object, records, wish))
          .isInstanceOfSatisfying(
              WorkFailure.class, failure -> assertThat(failure.code()).isEqualTo("INVALID_OPTIONS"))
          .hasMessageContaining("kept for the files of tasks and steps");
    }
    exporter.exportTo(OWNER, ObjectAddress.parse("s3://exports/reports.csv"), records, wish);

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
    assertThat(done.result().path("url").asString())
        .isEqualTo("/tidemill/api/workflows/wf-1/steps/2/files/wf-1-2.ndjson");
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

  private static String text(ObjectNode result) throws IOException {
    var object = ObjectAddress.parse(result.path("object").asString());
    try (var stream = blobs.open(object.bucket(), object.key())) {
      return new String(stream.readAllBytes(), UTF_8);
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

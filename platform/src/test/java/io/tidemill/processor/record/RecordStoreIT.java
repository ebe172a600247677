package io.tidemill.processor.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemill.api.Records;
import io.tidemill.json.Json;
import io.tidemill.s3.ObjectStore;
import io.tidemill.s3.S3Config;
import io.tidemill.s3.S3Exception;
import io.tidemill.servers.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RecordStoreIT {
  private static final String BUCKET = "records";
  @TempDir static Path folder;
  @TempDir static Path scratch;
  private static S3Server server;
  private static ObjectStore blobs;
  private static RecordStore shelf;

  @BeforeAll
  static void start() {
    server = new S3Server(folder, 0, "key", "secret");
    server.start();
    blobs = new ObjectStore(new S3Config(server.address(), "key", "secret"));
    shelf = new RecordStore(blobs, BUCKET, scratch.resolve("new"));
  }

  @AfterAll
  static void stop() {
    blobs.close();
    server.close();
  }

  @AfterEach
  void nothingIsLeftInTheScratchFolder() throws IOException {
    if (!Files.exists(scratch.resolve("new"))) return;
    try (var left = Files.list(scratch.resolve("new"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aFewRecordsStayInMemory() throws IOException {
    var kept = write("wf-1-0", numbers(10));

    assertThat(kept).isInstanceOf(InlineRecords.class);
    assertThat(read(kept)).isEqualTo(numbers(10)).isEqualTo(read(kept));
    assertThat(read(again(kept))).isEqualTo(numbers(10));
    assertThat(Json.text(shelf.encode(write("wf-1-0", numbers(1)))))
        .isEqualTo("{\"records\":[{\"n\":0}]}");
  }

  @Test
  void manyRecordsAreOneObject() throws IOException {
    var kept = write("wf-2-0", numbers(20_000));

    assertThat(Json.text(shelf.encode(kept)))
        .isEqualTo("{\"bucket\":\"records\",\"key\":\"records/wf-2-0.ndjson.gz\",\"count\":20000}");
    assertThat(read(kept)).isEqualTo(numbers(20_000)).isEqualTo(read(again(kept)));
    assertThat(shelf.keep("other", kept)).isSameAs(kept);
    shelf.forget(kept);
    assertThatThrownBy(kept::open)
        .isInstanceOfSatisfying(S3Exception.class, gone -> assertThat(gone.isMissing()).isTrue());
  }

  @Test
  void recordsMayBeAnything() throws IOException {
    var odd =
        List.of(
            Json.parse("[1,[2]]"),
            Json.parse("null"),
            Json.parse("[]"),
            Json.parse("-1.50E+300"),
            Json.parse("\"\\ud800 \\u2028\\n\\u0000ü😀\""));
    var many = new ArrayList<JsonNode>(odd);
    many.addAll(numbers(20_000));
    many.addAll(odd);

    assertThat(read(write("wf-8-0", odd))).isEqualTo(odd);
    assertThat(read(write("wf-8-1", many))).isEqualTo(many);
  }

  @Test
  void aRepeatedStepReplacesWhatItLeft() throws IOException {
    write("wf-3-0", numbers(20_000));
    var second = write("wf-3-0", numbers(15_000));

    assertThat(read(second)).hasSize(15_000);
    assertThat(blobs.list(BUCKET, "records/wf-3")).hasSize(1);
  }

  @Test
  void whoClosesWithoutAnEndLeavesNothing() throws IOException {
    try (var writer = shelf.writer("wf-4-0")) {
      for (var record : numbers(20_000)) writer.write(record);
    }

    assertThat(blobs.list(BUCKET, "records/wf-4")).isEmpty();
  }

  @Test
  void recordsOfOthersAreWrittenOut() throws IOException {
    var large = new InlineRecords(numbers(20_000));
    Records foreign = new JoinedRecords(List.of(large), record -> record);

    assertThat(shelf.keep("wf-5-0", large)).isInstanceOf(StoredRecords.class);
    assertThat(read(shelf.keep("wf-5-1", foreign))).isEqualTo(numbers(20_000));
    assertThatThrownBy(() -> shelf.encode(foreign)).hasMessage("the records are not kept yet");
    var few = new InlineRecords(numbers(3));
    assertThat(shelf.keep("wf-5-2", few)).isSameAs(few);
  }

  @Test
  void strangeIdsStayInTheirFolder() { // F53
    for (var id : List.of("../../etc/passwd", "a/b", "", "x".repeat(500), "ü", "..", "a\u0000b")) {
      assertThat(RecordStore.key(id)).matches("records/~[0-9a-f]{64}\\.ndjson\\.gz");
    }
    assertThat(RecordStore.key("wf-1.2_a-0")).isEqualTo("records/wf-1.2_a-0.ndjson.gz");
    assertThat(RecordStore.key("a/b")).isNotEqualTo(RecordStore.key("a\\b"));
  }

  @Test
  void refusesARecordThatNobodyCouldReadAgain() throws IOException {
    try (var writer = shelf.writer("wf-6-0")) {
      var huge = Json.object().put("a", "x".repeat(JsonRecords.MAX_RECORD));
      assertThatThrownBy(() -> writer.write(huge))
          .isInstanceOf(RecordsException.class)
          .hasMessage("record 1 is larger than 1048576 bytes");
    }
  }

  @Test
  void refusesItInAFileToo() throws IOException {
    try (var writer = shelf.writer("wf-6-1")) {
      for (var record : numbers(20_000)) writer.write(record);
      writer.write(text(JsonRecords.MAX_RECORD - 2));
      assertThatThrownBy(() -> writer.write(text(JsonRecords.MAX_RECORD - 1)))
          .isInstanceOf(RecordsException.class)
          .hasMessage("record 20002 is larger than 1048576 bytes");
    }
  }

  private static JsonNode text(int length) {
    return Json.tree("x".repeat(length));
  }

  @Test
  void whatAReaderDoesToItsRecordsNobodyElseSees() throws IOException {
    var kept = write("wf-7-0", numbers(1));
    for (var record : read(kept)) ((tools.jackson.databind.node.ObjectNode) record).removeAll();

    assertThat(read(kept)).isEqualTo(numbers(1));
  }

  private static Records again(Records kept) {
    var journal = Json.text(shelf.encode(kept));
    return shelf.decode((tools.jackson.databind.node.ObjectNode) Json.parse(journal));
  }

  private static Records write(String id, List<JsonNode> records) throws IOException {
    try (var writer = shelf.writer(id)) {
      for (var record : records) writer.write(record);
      return writer.finish();
    }
  }

  private static List<JsonNode> numbers(int count) {
    return IntStream.range(0, count).<JsonNode>mapToObj(n -> Json.object().put("n", n)).toList();
  }

  private static List<JsonNode> read(Records records) throws IOException {
    try (var reader = records.open()) {
      var all = new ArrayList<JsonNode>();
      for (var it = reader.next(); it != null; it = reader.next()) all.add(it);
      return all;
    }
  }
}

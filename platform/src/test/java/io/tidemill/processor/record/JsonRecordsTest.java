package io.tidemill.processor.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.strings;

import com.github.luben.zstd.Zstd;
import io.tidemill.api.Records;
import io.tidemill.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class JsonRecordsTest {
  @Test
  void readsLinesArraysAndSingleValues() throws IOException {
    assertThat(read("{\"a\":1}\n{\"a\":2}\n")).containsExactly("{\"a\":1}", "{\"a\":2}");
    assertThat(read("{\"a\":1}\r\n\n{\"a\":2}")).containsExactly("{\"a\":1}", "{\"a\":2}");
    assertThat(read("[{\"a\":1},\n [1],null]")).containsExactly("{\"a\":1}", "[1]", "null");
    assertThat(read("{\n  \"a\": [1, 2]\n}\n")).containsExactly("{\"a\":[1,2]}");
    assertThat(read("\uFEFF{\"a\":1}")).containsExactly("{\"a\":1}");
    assertThat(read("[]")).isEmpty();
    assertThat(read(" \n")).isEmpty();
    assertThat(read("")).isEmpty();
  }

  @Test
  void keepsNumbersAsTheyAre() throws IOException {
    assertThat(read("{\"n\":0.1000000000000000000001,\"m\":1.50}"))
        .containsExactly("{\"n\":0.1000000000000000000001,\"m\":1.50}");
  }

  @Test
  void findsOutWhatIsCompressed() throws IOException {
    var lines = "{\"a\":1}\n{\"a\":2}\n".getBytes(UTF_8);

    assertThat(read(new ByteArrayInputStream(gzip(lines)))).hasSize(2);
    assertThat(read(new ByteArrayInputStream(Zstd.compress(lines)))).hasSize(2);
  }

  @Test
  void readsAllPartsOfAGzipFileOverASlowNetwork() throws IOException {
    var parts = new ByteArrayOutputStream();
    for (int i = 0; i < 5; i++) parts.writeBytes(gzip(("{\"a\":" + i + "}\n").getBytes(UTF_8)));

    assertThat(read(new Trickle(parts.toByteArray()))).hasSize(5);
  }

  @Test
  void saysInWhichLineTheFaultIs() {
    assertThatThrownBy(() -> read("{\"a\":1}\n{\"a\":2}\n{\"a\":oops}\n"))
        .isInstanceOf(RecordsException.class)
        .hasMessageContaining("line 3");
    assertThatThrownBy(() -> read("{\"a\":1}\n\u0000"))
        .isInstanceOf(RecordsException.class)
        .hasMessageContaining("line 2");
    assertThatThrownBy(() -> read("[{\"a\":1}"))
        .isInstanceOf(RecordsException.class)
        .hasMessageContaining("line 1");
    assertThatThrownBy(() -> read("{\"a\":1e9999999999}"))
        .isInstanceOf(RecordsException.class)
        .hasMessageContaining("line 1");
  }

  @Test
  void refusesNumbersThatNobodyCanCalculateWith() throws IOException { // F50
    assertThat(read("[1e308,-1e-324,0.5e400,12345678901234567890,0]")).hasSize(5);

    for (var number : List.of("1e99999999", "-1e-99999999", "1e401", "0e99999999")) {
      assertThatThrownBy(() -> read("{}\n{\"a\":{\"b\":[1," + number + "]}}"))
          .isInstanceOf(RecordsException.class)
          .hasMessage("line 2: a.b[1] is a number that is out of range");
      var inline = new InlineRecords(List.of(Json.object(), Json.parse(number)));
      assertThatThrownBy(() -> all(inline))
          .isInstanceOf(RecordsException.class)
          .hasMessage("record 2: the record is a number that is out of range");
    }
  }

  private static List<JsonNode> all(Records records) throws IOException {
    try (var reader = records.open()) {
      var all = new ArrayList<JsonNode>();
      for (var it = reader.next(); it != null; it = reader.next()) all.add(it);
      return all;
    }
  }

  @Test
  void refusesARecordThatIsTooLarge() throws IOException {
    var most = "x".repeat(JsonRecords.MAX_RECORD - 2);
    assertThat(read("\"" + most + "\"\n\"" + most + "\"")).hasSize(2);

    assertThatThrownBy(() -> read("1\n\"" + most + "x\""))
        .isInstanceOf(RecordsException.class)
        .hasMessage("the record in line 2 is larger than 1048576 bytes");
    assertThatThrownBy(() -> read("1\n[" + "[1,2],".repeat(300_000)))
        .isInstanceOf(RecordsException.class);
    assertThatThrownBy(() -> read("1\n2\n{\"a\":[" + "1,".repeat(5_000_000)))
        .isInstanceOf(RecordsException.class)
        .hasMessage("the record in line 3 is larger than 1048576 bytes");
  }

  @Test
  void refusesBrokenCompression() throws IOException {
    var packed = gzip("{\"a\":1}\n".repeat(10_000).getBytes(UTF_8));
    var half = java.util.Arrays.copyOf(packed, packed.length / 2);
    assertThatThrownBy(() -> read(new ByteArrayInputStream(half)))
        .isInstanceOf(RecordsException.class);

    packed[packed.length / 2] ^= 0x55;
    assertThatThrownBy(() -> read(new ByteArrayInputStream(packed)))
        .isInstanceOf(RecordsException.class);
    assertThatThrownBy(() -> read(new ByteArrayInputStream(new byte[] {0x1f, (byte) 0x8b, 0, 0})))
        .isInstanceOf(RecordsException.class);
    var zstd = Zstd.compress("{\"a\":1}\n".repeat(10_000).getBytes(UTF_8));
    assertThatThrownBy(() -> read(new ByteArrayInputStream(java.util.Arrays.copyOf(zstd, 12))))
        .isInstanceOf(RecordsException.class);
  }

  @Test
  void whateverTextsARecordHoldsTheyComeBack() {
    qt().forAll(lists().of(strings().allPossible().ofLengthBetween(0, 30)).ofSizeBetween(0, 8))
        .checkAssert(texts -> {
          var lines = new StringBuilder();
          var expected = new ArrayList<JsonNode>();
          for (var text : texts) {
            // Jackson reads half a surrogate pair as a value, but not as a name.
            var name = new String(text.getBytes(UTF_8), UTF_8);
            var record = Json.object().put(name, text).put("n", text.length());
            expected.add(record);
            lines.append(Json.text(record)).append('\n');
          }
          assertThat(nodes(lines.toString())).isEqualTo(expected);
        });
  }

  private static List<JsonNode> nodes(String text) {
    try (var reader = JsonRecords.open(new ByteArrayInputStream(text.getBytes(UTF_8)))) {
      var records = new ArrayList<JsonNode>();
      for (var it = reader.next(); it != null; it = reader.next()) records.add(it);
      return records;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static List<String> read(String text) throws IOException {
    return read(new ByteArrayInputStream(text.getBytes(UTF_8)));
  }

  private static List<String> read(InputStream stream) throws IOException {
    try (var reader = JsonRecords.open(stream)) {
      var records = new ArrayList<String>();
      for (var it = reader.next(); it != null; it = reader.next()) records.add(Json.text(it));
      return records;
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  /// One byte at a time, and never any ready.
  private static final class Trickle extends InputStream {
    private final ByteArrayInputStream bytes;

    Trickle(byte[] bytes) {
      this.bytes = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      return bytes.read(buffer, offset, Math.min(1, length));
    }
  }
}

package io.tidemill.collector;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.tidemill.collector.BatchReader.Entry;
import io.tidemill.testing.Corpora;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchReaderTest {
  private static final long PLENTY = 64L * 1024 * 1024;

  private static List<String> read(byte[] bytes) throws IOException, BatchException {
    var found = new ArrayList<String>();
    try (var reader = new BatchReader(new ByteArrayInputStream(bytes), PLENTY)) {
      for (var entry = reader.next(); entry != null; entry = reader.next()) {
        found.add(
            switch (entry) {
              case Entry.Good(var item) -> item.toString();
              case Entry.Bad(var why) -> why;
            });
      }
    }
    return found;
  }

  private static List<String> read(String text) throws IOException, BatchException {
    return read(text.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"a\":1},{\"b\":[2,{}]}]",
        " \n[ {\"a\":1} ,\n {\"b\":[2,{}]} ] \n",
        "{\"a\":1}\n{\"b\":[2,{}]}\n",
        "{\"a\":1}\r\n\r\n{\"b\":[2,{}]}",
        "\uFEFF[{\"a\":1},{\"b\":[2,{}]}]",
        "{\n\"a\":1\n}\n{\"b\":[2,{}]}",
      })
  void arraysLinesAndObjectsAreTheSame(String batch) throws Exception { // C5.6
    assertThat(read(batch)).containsExactly("{\"a\":1}", "{\"b\":[2,{}]}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"items\":[{\"a\":1},{\"b\":[2,{}]}]}",
        "{\n \"meta\": {\"total\": 2}, \"items\": [{\"a\":1}, {\"b\":[2,{}]}],\n \"next\": [[7]]\n}\n",
        "{\"items\":[{\"a\":1}]}\n{\"id\":\"b-2\",\"items\":[{\"b\":[2,{}]}]}\n",
      })
  void aListOfItemsIsReadAsItsItems(String batch) throws Exception { // C5.7
    assertThat(read(batch)).containsExactly("{\"a\":1}", "{\"b\":[2,{}]}");
  }

  @Test
  void aListMayBeLargerThanAnyItem() throws Exception { // C5.7
    var item = "{\"text\":\"" + "x".repeat(100_000) + "\"}";
    var list = "{\"items\":[" + (item + ",").repeat(99) + item + "]}";

    assertThat(read(list)).hasSize(100).containsOnly(item);
  }

  @Test
  void anItemMayHaveAFieldNamedItems() throws Exception { // C5.7
    var item = "{\"items\":[{\"a\":1}],\"meta\":{\"id\":\"1\"},\"content\":{\"text\":\"b\"}}";

    assertThat(read(item)).containsExactly(item);
  }

  @Test
  void aListThatIsCutOffIsNeverTakenForAWhole() { // C5.7
    var whole = "{\"items\":[{\"a\":1},{\"b\":2}],\"next\":null}";
    for (var length = 0; length < whole.length(); length++) {
      var part = whole.substring(0, length);
      assertThatThrownBy(() -> read(part)).as(part).isInstanceOf(BatchException.class);
    }
  }

  @Test
  void numbersLoseNothing() throws Exception { // C5.6
    assertThat(read("[{\"id\":7441234567890123456789,\"x\":0.10}]"))
        .containsExactly("{\"id\":7441234567890123456789,\"x\":0.10}");
  }

  @Test
  void packedIsFoundByItsFirstBytes() throws Exception { // C5.6
    var gzip = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(gzip)) {
      out.write("[{\"a\":1}]".getBytes(UTF_8));
    }
    assertThat(read(gzip.toByteArray())).containsExactly("{\"a\":1}");
    assertThat(read(Zstd.compress("{\"a\":1}".getBytes(UTF_8)))).containsExactly("{\"a\":1}");
  }

  @Test
  void aBadLineIsReportedByItself() throws Exception { // C5.6
    assertThat(read("{\"a\":1}\n{oops\n[1]\n{\"b\":2}"))
        .containsExactly("{\"a\":1}", "the item is not valid JSON", "[1]", "{\"b\":2}");
  }

  @Test
  void anItemThatIsTooLargeIsReportedByItself() throws Exception {
    var numbers = "1,".repeat(BatchReader.MAX_ITEM / 2) + "1";
    var large = "{\"large\":[" + numbers + "]}";
    var why = "the item is larger than 4194304 bytes";

    assertThat(read("[{\"a\":1}," + large + ",{\"b\":2}]"))
        .containsExactly("{\"a\":1}", why, "{\"b\":2}");
    assertThat(read("{\"a\":1}\n" + large + "\n{\"b\":2}\n"))
        .containsExactly("{\"a\":1}", why, "{\"b\":2}");
  }

  @Test
  void whateverIsWrongWithAnItemIsItsOwn() throws Exception { // C5.6
    var wrong =
        List.of(
            "{\"s\":\"" + "x".repeat(5_000_000) + "\"}",
            "{\"" + "n".repeat(60_000) + "\":1e99999999999}",
            "{\"n\":" + "9".repeat(2_000) + "}",
            "[".repeat(300) + "]".repeat(300));
    for (var item : wrong) {
      var found = read("[{\"a\":1}," + item + ",{\"b\":2}]");
      assertThat(found).hasSize(3).startsWith("{\"a\":1}").endsWith("{\"b\":2}");
      assertThat(found.get(1)).startsWith("the item ");
    }
  }

  @Test
  void otherEncodingsAreRefused() {
    for (var charset :
        List.of(
            java.nio.charset.StandardCharsets.UTF_16LE,
            java.nio.charset.StandardCharsets.UTF_16BE)) {
      assertThatThrownBy(() -> read("[{}]".getBytes(charset))).hasMessage("the batch is not UTF-8");
    }
  }

  @Test
  void aLineOfOtherBytesIsNotBlank() throws Exception {
    var bytes = new byte[] {'{', '}', '\n', (byte) 0xFF, (byte) 0xFE, '\n'};
    assertThat(read(bytes)).containsExactly("{}", "the item is not valid JSON");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|the batch is empty",
        "'  '|the batch is empty",
        "42|the batch is neither an array nor an object",
        "'[{},'|the batch is not valid JSON at line 1, column 6",
        "'[{}'|the batch is not valid JSON at line 1, column 4",
        "[{}] x|the batch is not valid JSON at line 1, column 6",
        "[{}] {}|the batch does not end with its array",
      })
  void whatIsBrokenAsAWholeIsSaid(String batch, String why) {
    assertThatThrownBy(() -> read(batch))
        .isInstanceOf(BatchException.class)
        .message()
        .matches(said -> said.equals(why) || said.startsWith(why.replaceAll(" at line.*", "")));
  }

  @Test
  void aBombIsCutOff() {
    var bomb = Zstd.compress(("[" + " ".repeat(1_000_000)).getBytes(UTF_8));
    assertThatThrownBy(
            () -> {
              try (var reader = new BatchReader(new ByteArrayInputStream(bomb), 100_000)) {
                reader.next();
              }
            })
        .isInstanceOfSatisfying(
            BatchException.class, failed -> assertThat(failed.isFinal()).isTrue())
        .hasMessage("the batch is larger than 100000 bytes");
  }

  @Test
  void whatIsCutOffIsNeverTakenForAWhole() throws Exception {
    var plain = "[{\"a\":1},{\"b\":2}]".getBytes(UTF_8);
    var gzip = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(gzip)) {
      out.write(plain);
    }
    for (var whole : List.of(plain, gzip.toByteArray(), Zstd.compress(plain))) {
      for (var length = 0; length < whole.length; length++) {
        var part = java.util.Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> read(part))
            .as("first %d bytes", length)
            .isInstanceOf(BatchException.class);
      }
    }
  }

  @Test
  void anyBytesHaveAnAnswer() throws IOException {
    var random = new Random(11);
    var seeds =
        List.of(
            "[{\"a\":\"b\"},{\"c\":[1,2.5e3,null]}]".getBytes(UTF_8),
            "{\"a\":1}\n{\"b\":\"\\u0041\"}\n".getBytes(UTF_8),
            "{\"n\":[2],\"items\":[{\"a\":\"b\"},[1],3]}\n{\"items\":[]}".getBytes(UTF_8),
            Zstd.compress("[{\"a\":1}]".getBytes(UTF_8)));
    for (var run = 0; run < 5_000; run++) {
      var bytes = seeds.get(run % seeds.size()).clone();
      for (var change = random.nextInt(4); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      readOrRefuse(bytes);
    }
  }

  @Test
  void everyFileOfTheJsonCorpusHasAnAnswer() throws IOException {
    for (var file : Corpora.files("json/JSONTestSuite")) {
      readOrRefuse(Files.readAllBytes(file));
    }
  }

  private static void readOrRefuse(byte[] bytes) throws IOException {
    try {
      read(bytes);
    } catch (BatchException refused) {
      assertThat(refused).message().startsWith("the batch").doesNotContain("\n", "Exception");
    }
  }
}

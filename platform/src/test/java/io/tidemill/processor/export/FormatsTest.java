package io.tidemill.processor.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.strings;

import io.tidemill.analytics.ParquetFiles;
import io.tidemill.api.RecordReader;
import io.tidemill.api.Records;
import io.tidemill.api.WorkFailure;
import io.tidemill.config.ByteSize;
import io.tidemill.json.Json;
import io.tidemill.processor.record.InlineRecords;
import io.tidemill.sql.AnalyticsConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import tools.jackson.databind.JsonNode;

class FormatsTest {
  private static final String MIXED =
      """
      {"name":"Ada","age":36,"balance":-12.50,"tags":["a","b"]}
      {"name":"Bob, \\"the\\" builder","age":null,"active":true}
      {"name":"=HYPERLINK(1)","age":-7,"id":12345678901234567890,"note":"two\\nlines"}
      "just a text"
      """;

  @TempDir private Path folder;

  @Test
  void csvHasTheFieldsOfAllRecordsAsColumns() throws Exception {
    assertThat(csv(records(MIXED)))
        .isEqualTo(
            String.join(
                "\r\n",
                "name,age,balance,tags,active,id,note,value",
                "Ada,36,-12.50,\"[\"\"a\"\",\"\"b\"\"]\",,,,",
                "\"Bob, \"\"the\"\" builder\",,,,true,,,",
                "'=HYPERLINK(1),-7,,,,12345678901234567890,\"two\nlines\",",
                ",,,,,,,just a text",
                ""));
  }

  @Test
  void noRecordsMakeAnEmptyFile() throws Exception {
    assertThat(csv(InlineRecords.NONE)).isEmpty();
  }

  @Test
  void noCellStartsAFormula() throws Exception { // F52
    var cells = List.of("=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "＝1", "-2+3|cmd");
    for (var cell : cells) {
      var table = parse(csv(new InlineRecords(List.of(Json.object().put(cell, cell)))));
      assertThat(table).containsExactly(List.of("'" + cell), List.of("'" + cell));
    }
    var numbers = Json.parse("{\"a\":-1,\"b\":-0.5,\"c\":-1E+400}");
    assertThat(parse(csv(new InlineRecords(List.of(numbers)))).get(1))
        .containsExactly("-1", "-0.5", "-1E+400");
  }

  @Test
  void whateverCellsACsvHoldsTheyComeBack() {
    qt().withExamples(300)
        .forAll(
            lists()
                .of(
                    lists()
                        .of(strings().betweenCodePoints(0, 0x2ff).ofLengthBetween(0, 12))
                        .ofSize(3))
                .ofSizeBetween(1, 6))
        .checkAssert(rows -> {
          var list = new ArrayList<JsonNode>();
          var expected = new ArrayList<List<String>>();
          expected.add(List.of("a", "b", "c"));
          for (var row : rows) {
            list.add(Json.object().put("a", row.get(0)).put("b", row.get(1)).put("c", row.get(2)));
            expected.add(row.stream().map(CellValues::safe).toList());
          }
          assertThat(parse(csv(new InlineRecords(list)))).isEqualTo(expected);
        });
  }

  @Test
  void duckDbReadsOurCsv() throws Exception {
    csv(records(MIXED));

    assertThat(
            query("SELECT name, age, balance FROM read_csv('%s', strict_mode = true)", "out.csv"))
        .startsWith("Ada|36|-12.5", "Bob, \"the\" builder|null|null", "'=HYPERLINK(1)|-7|null");
  }

  @Test
  void ndjsonComesBackAsItWas() throws Exception {
    var file = folder.resolve("out.ndjson");

    assertThat(new NdjsonWriter().write(records(MIXED), file)).isEqualTo(4);

    assertThat(Files.readAllLines(file).stream().map(Json::parse).toList())
        .isEqualTo(records(MIXED).list());
  }

  @Test
  void parquetHasColumnsOfTheirTypes() throws Exception {
    var file = parquet(records(MIXED));

    assertThat(query("SELECT column_name, column_type FROM (DESCRIBE FROM '%s')", file))
        .containsExactly(
            "name|VARCHAR",
            "age|BIGINT",
            "balance|DOUBLE",
            "tags|VARCHAR",
            "active|BOOLEAN",
            "id|VARCHAR",
            "note|VARCHAR",
            "value|VARCHAR");
    assertThat(query("SELECT * FROM '%s'", file))
        .containsExactly(
            "Ada|36|-12.5|[\"a\",\"b\"]|null|null|null|null",
            "Bob, \"the\" builder|null|null|null|true|null|null|null",
            "=HYPERLINK(1)|-7|null|null|null|12345678901234567890|two\nlines|null",
            "null|null|null|null|null|null|null|just a text");
  }

  @Test
  void parquetRoundsNoNumber() throws Exception {
    var file =
        parquet(
            records(
                """
                {"a":9007199254740993,"b":0.5,"c":7,"d":9007199254740993}
                {"a":0.5,"b":9007199254740993,"c":0.5,"d":7}
                """));

    assertThat(query("SELECT column_name, column_type FROM (DESCRIBE FROM '%s')", file))
        .containsExactly("a|VARCHAR", "b|VARCHAR", "c|DOUBLE", "d|BIGINT");
    assertThat(query("SELECT * FROM '%s'", file))
        .containsExactly("9007199254740993|0.5|7.0|9007199254740993", "0.5|9007199254740993|0.5|7");
  }

  @Test
  void parquetTakesWhateverJsonCanSay() throws Exception {
    var odd =
        records(
            """
            {"":1,"A":"x","a":"\\ud800 half","q\\"uote'":{"deep":"\\udfff"},"nul\\u0000":"a\\u0000b"}
            {"":2.5,"a":1e400,"A":[],"q\\"uote'":null}
            """);

    var file = parquet(odd);

    assertThat(query("SELECT column_name FROM (DESCRIBE FROM '%s')", file))
        .containsExactly("_", "A", "a_2", "q\"uote'", "nul");
    assertThat(query("SELECT count(*), sum(_) FROM '%s'", file)).containsExactly("2|3.5");
  }

  @Test
  void parquetWithoutRecordsIsAnEmptyTable() throws Exception {
    assertThat(query("SELECT count(*) FROM '%s'", parquet(InlineRecords.NONE)))
        .containsExactly("0");
  }

  @Test
  void parquetTakesManyColumnsAndLongTexts() throws Exception {
    var wide = wide(ParquetFiles.MOST_COLUMNS);
    var file = parquet(new InlineRecords(Collections.nCopies(50, wide)));
    assertThat(query("SELECT count(field499) FROM '%s'", file)).containsExactly("50");

    var text = Json.object().put("text", "mill ".repeat(40_000));
    Records pages = () -> new Same(text, 150);
    assertThat(query("SELECT count(text), max(length(text)) FROM '%s'", parquet(pages)))
        .containsExactly("150|200000");
  }

  @Test
  void saysWhenThereAreTooManyColumns() throws Exception {
    assertThat(parse(csv(new InlineRecords(List.of(wide(TableColumns.MOST)))))).hasSize(2);

    assertThatThrownBy(() -> csv(new InlineRecords(List.of(wide(TableColumns.MOST + 1)))))
        .isInstanceOfSatisfying(
            WorkFailure.class,
            failure -> {
              assertThat(failure.code()).isEqualTo("TOO_MANY_COLUMNS");
              assertThat(failure.isRetryable()).isFalse();
            });
    assertThatThrownBy(() -> parquet(new InlineRecords(List.of(wide(501)))))
        .hasMessageStartingWith("the records have more than 500 different fields");
  }

  private static JsonNode wide(int fields) {
    var wide = Json.object();
    for (int i = 0; i < fields; i++) wide.put("field" + i, "value " + i);
    return wide;
  }

  @Test
  void xlsxHoldsNumbersTruthsAndTexts() throws Exception {
    assertThat(xlsx(records(MIXED)))
        .containsExactly(
            List.of("name", "age", "balance", "tags", "active", "id", "note", "value"),
            List.of("Ada", "n:36", "n:-12.50", "[\"a\",\"b\"]"),
            List.of("Bob, \"the\" builder", "b:1"),
            List.of("'=HYPERLINK(1)", "n:-7", "12345678901234567890", "two\nlines"),
            List.of("just a text"));
  }

  @Test
  void xlsxTakesTextsThatXmlCanNotHold() throws Exception {
    var odd =
        Json.object().put("a", "x\u0000\u000by\ud800z \uffff <&>\"").put("b", "😀".repeat(20_000));

    var cells = xlsx(new InlineRecords(List.of(odd))).get(1);

    assertThat(cells.get(0)).isEqualTo("x\uFFFD\uFFFDy?z \uFFFD <&>\"");
    assertThat(cells.get(1)).isEqualTo("😀".repeat(16_383));
  }

  @Test
  void xlsxDoesNotKeepLargeRowsInMemory() throws Exception {
    var file = folder.resolve("large.xlsx");
    var random = new java.util.Random(1);
    var text = new StringBuilder();
    while (text.length() < 30_000) text.append(Long.toString(random.nextLong(), 36));
    var record = Json.object().put("a", text.toString()).put("b", text.toString());
    var sizes = new ArrayList<Long>();
    Records large =
        () -> {
          var rows = new Same(record, 300);
          return new RecordReader() {
            @Override
            public @Nullable JsonNode next() throws IOException {
              sizes.add(Files.exists(file) ? Files.size(file) : 0);
              return rows.next();
            }

            @Override
            public void close() {}
          };
        };

    assertThat(new XlsxWriter().write(large, file)).isEqualTo(300);

    assertThat(sizes.getLast()).isGreaterThan(Files.size(file) / 2);
  }

  @Test
  void xlsxSaysWhenThereAreTooManyRecords() {
    Records endless = () -> new Same(Json.object().put("a", 1), XlsxWriter.MOST_RECORDS + 1);

    assertThatThrownBy(() -> new XlsxWriter().write(endless, folder.resolve("out.xlsx")))
        .isInstanceOfSatisfying(
            WorkFailure.class, failure -> assertThat(failure.code()).isEqualTo("TOO_MANY_RECORDS"))
        .hasMessageStartingWith("xlsx holds at most 1048575 records");
  }

  @Test
  void whoIsInterruptedStops() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> csv(records(MIXED))).isInstanceOf(InterruptedException.class);
  }

  private String csv(Records records) {
    try {
      var file = folder.resolve("out.csv");
      new CsvWriter().write(records, file);
      return Files.readString(file);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (WorkFailure | InterruptedException failed) {
      throw sneaky(failed);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Exception> RuntimeException sneaky(Exception failed) throws E {
    throw (E) failed;
  }

  private String parquet(Records records) throws Exception {
    var config = new AnalyticsConfig("", ByteSize.ofMib(256), 2);
    var file = folder.resolve("out.parquet");
    new ParquetWriter(new ParquetFiles(config, folder.resolve("spill"))).write(records, file);
    try (var left = Files.list(folder)) {
      assertThat(left.map(it -> it.getFileName().toString())).doesNotContain("out.parquet.rows");
    }
    return "out.parquet";
  }

  private List<String> query(String sql, String file) throws Exception {
    try (var duck = DriverManager.getConnection("jdbc:duckdb:");
        var statement = duck.createStatement();
        var rows = statement.executeQuery(sql.formatted(folder.resolve(file)))) {
      var lines = new ArrayList<String>();
      while (rows.next()) {
        var line = new ArrayList<String>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          line.add(String.valueOf(rows.getObject(i)));
        }
        lines.add(String.join("|", line));
      }
      return lines;
    }
  }

  private List<List<String>> xlsx(Records records) throws Exception {
    var file = folder.resolve("out.xlsx");
    new XlsxWriter().write(records, file);
    try (var zip = new ZipFile(file.toFile());
        var sheet = zip.getInputStream(zip.getEntry("xl/worksheets/sheet1.xml"))) {
      var xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(sheet);
      var rows = xml.getElementsByTagName("row");
      var table = new ArrayList<List<String>>();
      for (int i = 0; i < rows.getLength(); i++) {
        var cells = ((Element) rows.item(i)).getElementsByTagName("c");
        var row = new ArrayList<String>();
        for (int j = 0; j < cells.getLength(); j++) row.add(cell((Element) cells.item(j)));
        table.add(row);
      }
      assertThat(xml.getElementsByTagName("f").getLength()).as("formulas").isZero();
      return table;
    }
  }

  private static String cell(Element cell) {
    var type = cell.getAttribute("t");
    var text = cell.getTextContent();
    return type.equals("inlineStr") ? text : (type.isEmpty() ? "n" : type) + ":" + text;
  }

  private static InlineRecords records(String lines) {
    return new InlineRecords(lines.lines().map(Json::parse).toList());
  }

  /// RFC 4180, as a reader sees it.
  private static List<List<String>> parse(String csv) {
    var table = new ArrayList<List<String>>();
    var row = new ArrayList<String>();
    var cell = new StringBuilder();
    var isQuoted = false;
    for (int i = 0; i < csv.length(); i++) {
      var c = csv.charAt(i);
      if (isQuoted) {
        if (c != '"') cell.append(c);
        else if (i + 1 < csv.length() && csv.charAt(i + 1) == '"') cell.append(csv.charAt(++i));
        else isQuoted = false;
      } else if (c == '"') {
        isQuoted = true;
      } else if (c == ',' || c == '\r') {
        row.add(cell.toString());
        cell.setLength(0);
        if (c == ',') continue;
        assertThat(csv.charAt(++i)).isEqualTo('\n');
        table.add(List.copyOf(row));
        row.clear();
      } else {
        cell.append(c);
      }
    }
    return table;
  }

  /// One record again and again.
  private static final class Same implements RecordReader {
    private final JsonNode record;
    private int left;

    Same(JsonNode record, int times) {
      this.record = record;
      this.left = times;
    }

    @Override
    public @Nullable JsonNode next() {
      return left-- > 0 ? record : null;
    }

    @Override
    public void close() {}
  }
}

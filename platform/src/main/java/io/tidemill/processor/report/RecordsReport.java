package io.tidemill.processor.report;

import io.tidemill.api.RecordReader;
import io.tidemill.processor.chart.HumanText;
import io.tidemill.processor.chart.SvgCharts;
import io.tidemill.processor.chart.Timeline;
import io.tidemill.processor.chart.ValueTally;
import io.tidemill.processor.report.ReportContent.Block;
import io.tidemill.processor.report.ReportContent.Chart;
import io.tidemill.processor.report.ReportContent.Column;
import io.tidemill.processor.report.ReportContent.Figure;
import io.tidemill.processor.report.ReportContent.Figures;
import io.tidemill.processor.report.ReportContent.Heading;
import io.tidemill.processor.report.ReportContent.Kind;
import io.tidemill.processor.report.ReportContent.Pair;
import io.tidemill.processor.report.ReportContent.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The report on any records: their fields, numbers and most frequent values, in one pass.
final class RecordsReport {
  private static final int MOST_FIELDS = 60;
  private static final int MOST_CHARTS = 6;
  private static final int SHOWN_ROWS = 12;
  private static final int SHOWN_COLUMNS = 5;
  // Of the longest that are kept, these are ten to twenty megabytes.
  private static final int MOST_VALUES = 50_000;

  private final Map<String, ValueProfile> fields = new LinkedHashMap<>();
  private final List<ObjectNode> first = new ArrayList<>();
  private final Map<RequestedChart, ValueTally> requested = new LinkedHashMap<>();
  private final ValueTally.Room room;
  private long records;

  private RecordsReport(List<RequestedChart> charts) {
    var all = new ValueTally.Room(MOST_VALUES);
    for (var chart : charts) requested.put(chart, new ValueTally(all));
    // Values of fields are drawn only when no charts are requested.
    room = charts.isEmpty() ? all : new ValueTally.Room(0);
  }

  /// @param subtitle may be empty
  static ReportContent of(
      RecordReader reader,
      List<RequestedChart> requested,
      String title,
      String subtitle,
      Instant at)
      throws IOException, InterruptedException {
    var report = new RecordsReport(requested);
    for (var record = reader.next(); record != null; record = reader.next()) {
      report.add(record);
      if (report.records % 4_096 == 0 && Thread.interrupted()) {
        throw new InterruptedException("told to stop while reading records");
      }
    }
    return new ReportContent(title.isEmpty() ? "Records" : title, subtitle, at, report.blocks());
  }

  private void add(JsonNode record) {
    records++;
    if (!(record instanceof ObjectNode object)) return;
    if (first.size() < SHOWN_ROWS) first.add(object);
    for (var field : object.properties()) {
      var profile = fields.get(field.getKey());
      if (profile == null && fields.size() < MOST_FIELDS) {
        profile = new ValueProfile(field.getKey(), room);
        fields.put(field.getKey(), profile);
      }
      if (profile != null) profile.add(field.getValue());
    }
    requested.forEach((chart, tally) -> chart.add(object, tally));
  }

  private List<Block> blocks() {
    var blocks = new ArrayList<Block>();
    var numeric = fields.values().stream().filter(ValueProfile::isNumeric).toList();
    blocks.add(
        new Figures(
            List.of(
                new Figure(HumanText.count(records), "Records", ""),
                new Figure(HumanText.count(fields.size()), "Fields", ""),
                new Figure(HumanText.count(numeric.size()), "With numbers", ""))));
    requested.forEach((chart, tally) -> blocks.add(chart.chart(tally)));
    if (requested.isEmpty()) drawn(blocks, numeric);
    if (!numeric.isEmpty()) {
      blocks.add(new Heading("Numbers"));
      blocks.add(numbers(numeric));
    }
    if (!first.isEmpty()) {
      blocks.add(new Heading("Records"));
      blocks.add(sample());
    }
    return blocks;
  }

  // The default charts: times first, then categories, then distributions of numbers.
  private void drawn(List<Block> blocks, List<ValueProfile> numeric) {
    fields.values().stream()
        .filter(ValueProfile::isTime)
        .limit(2)
        .forEach(field -> blocks.add(over(field)));
    var half = new ArrayList<Chart>();
    fields.values().stream()
        .filter(ValueProfile::isCategory)
        .limit(MOST_CHARTS)
        .forEach(field -> half.add(values(field)));
    numeric.stream().limit(MOST_CHARTS).forEach(field -> half.add(spread(field)));
    for (int i = 0; i + 1 < half.size(); i += 2) {
      blocks.add(new Pair(half.get(i), half.get(i + 1)));
    }
    if (half.size() % 2 == 1) blocks.add(half.getLast());
  }

  private static Chart over(ValueProfile field) {
    var note = field.isSampled() ? " (a sample)" : "";
    return new Chart(
        "Records by " + field.name() + note,
        SvgCharts.line("Records by " + field.name(), Timeline.of(field.moments()), SvgCharts.WIDE));
  }

  private static Chart values(ValueProfile field) {
    var points = field.top(8);
    var name = "Most frequent " + field.name();
    return new Chart(
        name,
        field.different() <= 4
            ? SvgCharts.ring(name, points, SvgCharts.HALF)
            : SvgCharts.rows(name, points, SvgCharts.HALF));
  }

  private static Chart spread(ValueProfile field) {
    var name = "How " + field.name() + " is spread";
    return new Chart(name, SvgCharts.columns(name, field.histogram(), SvgCharts.HALF));
  }

  private static Table numbers(List<ValueProfile> numeric) {
    var rows =
        numeric.stream()
            .map(field ->
                List.of(
                    field.name(),
                    HumanText.count(field.count()),
                    HumanText.number(field.least()),
                    HumanText.number(field.median()),
                    HumanText.number(field.mean()),
                    HumanText.number(field.most()),
                    HumanText.number(field.sum())))
            .toList();
    return new Table(
        "Fields with numbers",
        List.of(
            Column.words("Field", 22),
            Column.number("Values", 11),
            Column.number("Least", 13),
            Column.number("Median", 13),
            Column.number("Mean", 13),
            Column.number("Most", 13),
            Column.number("Sum", 15)),
        rows,
        "");
  }

  private Table sample() {
    var names = fields.keySet().stream().limit(SHOWN_COLUMNS).toList();
    var share = 100 / Math.max(1, names.size());
    var columns = names.stream().map(name -> new Column(name, share, kind(name))).toList();
    var rows = first.stream().map(record -> cells(record, names)).toList();
    var rest = fields.size() - names.size();
    var note = rest > 0 ? "There are %d more fields.".formatted(rest) : "";
    return new Table("The first records", columns, rows, note);
  }

  private Kind kind(String name) {
    var profile = fields.get(name);
    return profile != null && profile.isNumeric() ? Kind.NUMBER : Kind.WORDS;
  }

  private static List<String> cells(ObjectNode record, List<String> names) {
    return names.stream().map(name -> cell(record.path(name))).toList();
  }

  private static String cell(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) return "";
    return HumanText.shortened(value.isContainer() ? value.toString() : value.asString(), 80);
  }
}

package io.tidemill.processor.report;

import io.tidemill.api.WorkFailure;
import io.tidemill.processor.chart.ChartPoint;
import io.tidemill.processor.chart.SvgCharts;
import io.tidemill.processor.chart.ValueTally;
import io.tidemill.processor.option.KnownFields;
import io.tidemill.processor.report.ReportContent.Chart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A requested chart: `{"type":"bar","x":"day","y":"sales","title":"Sales"}`. Numbers of records
/// with the same `x` are added up; without `y` the records are counted.
final class RequestedChart {
  private static final int MOST = 12;
  private static final List<String> TYPES = List.of("bar", "hbar", "line", "donut");

  private static final KnownFields FIELDS =
      new KnownFields("INVALID_DATA", "charts: field", Set.of("type", "x", "y", "title"));

  private final String type;
  private final String title;
  private final String x;
  private final String y;

  private RequestedChart(String type, String title, String x, String y) {
    this.type = type;
    this.title = title;
    this.x = x;
    this.y = y;
  }

  static List<RequestedChart> read(JsonNode given) throws WorkFailure {
    if (given.isMissingNode() || given.isNull()) return List.of();
    if (!given.isArray() || given.size() > MOST) {
      throw wrong("charts must be a list of at most " + MOST);
    }
    var charts = new ArrayList<RequestedChart>();
    for (var one : given) {
      if (!(one instanceof ObjectNode chart)) throw wrong("charts must hold objects");
      FIELDS.check(chart);
      var type = one.path("type").asString("bar");
      var x = one.path("x").asString("");
      var y = one.path("y").asString("");
      if (!TYPES.contains(type)) throw wrong("charts.type must be bar, hbar, line or donut");
      if (x.isEmpty()) throw wrong("charts.x is missing: the field whose values stand below");
      var ours = y.isEmpty() ? "Records by " + x : y + " by " + x;
      charts.add(new RequestedChart(type, one.path("title").asString(ours), x, y));
    }
    return charts;
  }

  private static WorkFailure wrong(String message) {
    return WorkFailure.permanent("INVALID_DATA", message);
  }

  /// @param tally of this chart
  void add(ObjectNode record, ValueTally tally) {
    var label = record.path(x);
    if (label.isMissingNode() || label.isNull()) return;
    var amount = y.isEmpty() ? 1 : record.path(y).asDouble(0);
    tally.add(label.isContainer() ? label.toString() : label.asString(), amount);
  }

  Chart chart(ValueTally tally) {
    var drawing =
        switch (type) {
          case "hbar" -> SvgCharts.rows(title, tally.top(12), SvgCharts.WIDE);
          case "donut" -> SvgCharts.ring(title, tally, SvgCharts.WIDE);
          case "line" -> SvgCharts.line(title, ordered(tally), SvgCharts.WIDE);
          default -> SvgCharts.columns(title, ordered(tally), SvgCharts.WIDE);
        };
    return new Chart(title, drawing);
  }

  // 9 before 10, and dates in their order.
  private static List<ChartPoint> ordered(ValueTally tally) {
    return tally.ordered(
        Comparator.comparingDouble(RequestedChart::number).thenComparing(Comparator.naturalOrder()),
        400);
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      return Double.POSITIVE_INFINITY;
    }
  }
}

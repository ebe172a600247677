package io.tidemill.processor.report;

import io.tidemill.processor.api.KnownFields;
import io.tidemill.processor.api.WorkFailure;
import io.tidemill.processor.report.Report.Chart;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A chart that somebody asked for: `{"type":"bar","x":"day","y":"sales","title":"Sales"}`. Numbers
/// of records with the same `x` are added up; without `y` the records are counted.
final class AskedChart {
  private static final int MOST = 12;
  private static final List<String> TYPES = List.of("bar", "hbar", "line", "donut");

  private static final KnownFields FIELDS =
      new KnownFields("INVALID_DATA", "charts: field", Set.of("type", "x", "y", "title"));

  private final String type;
  private final String title;
  private final String x;
  private final String y;

  private AskedChart(String type, String title, String x, String y) {
    this.type = type;
    this.title = title;
    this.x = x;
    this.y = y;
  }

  static List<AskedChart> read(JsonNode given) throws WorkFailure {
    if (given.isMissingNode() || given.isNull()) return List.of();
    if (!given.isArray() || given.size() > MOST) {
      throw wrong("charts must be a list of at most " + MOST);
    }
    var charts = new ArrayList<AskedChart>();
    for (var one : given) {
      if (!(one instanceof ObjectNode chart)) throw wrong("charts must hold objects");
      FIELDS.check(chart);
      var type = one.path("type").asString("bar");
      var x = one.path("x").asString("");
      var y = one.path("y").asString("");
      if (!TYPES.contains(type)) throw wrong("charts.type must be bar, hbar, line or donut");
      if (x.isEmpty()) throw wrong("charts.x is missing: the field whose values stand below");
      var ours = y.isEmpty() ? "Records by " + x : y + " by " + x;
      charts.add(new AskedChart(type, one.path("title").asString(ours), x, y));
    }
    return charts;
  }

  private static WorkFailure wrong(String message) {
    return WorkFailure.permanent("INVALID_DATA", message);
  }

  /// @param tally of this chart
  void add(ObjectNode record, Tally tally) {
    var label = record.path(x);
    if (label.isMissingNode() || label.isNull()) return;
    var amount = y.isEmpty() ? 1 : record.path(y).asDouble(0);
    tally.add(label.isContainer() ? label.toString() : label.asString(), amount);
  }

  Chart chart(Tally tally) {
    var drawing =
        switch (type) {
          case "hbar" -> Charts.rows(title, tally.top(12), Charts.WIDE);
          case "donut" -> Charts.ring(title, tally, Charts.WIDE);
          case "line" -> Charts.line(title, ordered(tally), Charts.WIDE);
          default -> Charts.columns(title, ordered(tally), Charts.WIDE);
        };
    return new Chart(title, drawing);
  }

  // 9 before 10, and dates in their order.
  private static List<Point> ordered(Tally tally) {
    return tally.ordered(
        Comparator.comparingDouble(AskedChart::number).thenComparing(Comparator.naturalOrder()),
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

package io.tidemill.processor.report;

import io.tidemill.contract.crawl.Crawl;
import io.tidemill.processor.chart.ChartPoint;
import io.tidemill.processor.chart.HumanText;
import io.tidemill.processor.chart.SvgCharts;
import io.tidemill.processor.report.CrawlReportData.Overview;
import io.tidemill.processor.report.ReportContent.Block;
import io.tidemill.processor.report.ReportContent.Chart;
import io.tidemill.processor.report.ReportContent.Column;
import io.tidemill.processor.report.ReportContent.Figure;
import io.tidemill.processor.report.ReportContent.Figures;
import io.tidemill.processor.report.ReportContent.Heading;
import io.tidemill.processor.report.ReportContent.Kind;
import io.tidemill.processor.report.ReportContent.Pair;
import io.tidemill.processor.report.ReportContent.Table;
import io.tidemill.search.SearchResult.Count;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the whole index holds, and what came last.
final class OverviewReport {
  private static final Map<String, String> AGES =
      Map.of(
          "day", "up to a day",
          "week", "to 7 days",
          "month", "to 30 days",
          "year", "to a year",
          "older", "older");

  private OverviewReport() {}

  /// @param title empty for one of our own
  static ReportContent of(Overview overview, String title, Instant at) {
    var blocks = new ArrayList<Block>();
    var stats = overview.stats();
    var facets = overview.newest().facets();
    blocks.add(
        new Figures(
            List.of(
                new Figure(HumanText.count(stats.documents()), "Pages in the index", ""),
                new Figure(HumanText.bytes(stats.bytes()), "Size of the index", ""),
                new Figure(changed(stats.committedAt()), "Last change", ""))));
    blocks.add(new Heading("What the index holds"));
    blocks.add(
        new Chart(
            "Pages by site",
            SvgCharts.rows("Pages by site", points(facets.site()), SvgCharts.WIDE)));
    blocks.add(
        new Pair(
            new Chart(
                "Content types",
                SvgCharts.ring("Pages by type", points(facets.type()), SvgCharts.HALF)),
            new Chart(
                "Languages",
                SvgCharts.rows("Pages by language", points(facets.language()), SvgCharts.HALF))));
    blocks.add(
        new Chart(
            "Age of pages",
            SvgCharts.columns("Pages by age", ages(facets.date()), SvgCharts.WIDE)));
    blocks.add(new Heading("What came last"));
    if (!overview.crawls().isEmpty()) blocks.add(crawls(overview.crawls()));
    blocks.add(newest(overview));
    return new ReportContent(title.isEmpty() ? "Index overview" : title, "", at, blocks);
  }

  private static String changed(@org.jspecify.annotations.Nullable Instant at) {
    return at == null ? "never" : HumanText.day(at);
  }

  private static List<ChartPoint> points(List<Count> counts) {
    return counts.stream()
        .map(count -> new ChartPoint(count.value(), (double) count.count()))
        .toList();
  }

  // Each span of the index has those before it in it; a column has its own pages only.
  static List<ChartPoint> ages(List<Count> counts) {
    var points = new ArrayList<ChartPoint>();
    var before = 0L;
    for (var count : counts) {
      var own = count.value().equals("older") ? count.count() : count.count() - before;
      before = count.count();
      points.add(new ChartPoint(AGES.getOrDefault(count.value(), count.value()), (double) own));
    }
    return points;
  }

  private static Table crawls(List<Crawl> crawls) {
    var rows =
        crawls.stream()
            .map(crawl ->
                List.of(
                    crawl.url(),
                    crawl.status().wire(),
                    crawl.result().has("fetched")
                        ? HumanText.count(crawl.result().path("fetched").asLong())
                        : "–",
                    moment(crawl.createdAt())))
            .toList();
    return new Table(
        "Newest crawls",
        List.of(
            new Column("Start", 46, Kind.LINK),
            new Column("Status", 13, Kind.WORDS),
            new Column("Pages", 10, Kind.NUMBER),
            new Column("Asked for", 31, Kind.NUMBER)),
        rows,
        "");
  }

  private static String moment(String text) {
    try {
      return HumanText.time(Instant.parse(text));
    } catch (java.time.format.DateTimeParseException _) {
      return text;
    }
  }

  private static Table newest(Overview overview) {
    var rows =
        overview.newest().hits().stream()
            .map(hit -> List.of(hit.url(), hit.title(), HumanText.time(hit.fetchedAt())))
            .toList();
    return new Table(
        "Newest pages",
        List.of(
            new Column("Page", 40, Kind.LINK),
            new Column("Title", 34, Kind.WORDS),
            new Column("Fetched", 26, Kind.NUMBER)),
        rows,
        rows.isEmpty() ? "There are none." : "");
  }
}

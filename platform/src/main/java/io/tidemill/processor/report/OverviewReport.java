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
import io.tidemill.processor.report.ReportContent.Pair;
import io.tidemill.processor.report.ReportContent.Table;
import io.tidemill.search.SearchResult.Count;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The report on the whole index and its newest pages.
final class OverviewReport {
  private static final Map<String, String> AGES =
      Map.of(
          "day", "up to a day",
          "week", "to 7 days",
          "month", "to 30 days",
          "year", "to a year",
          "older", "older");

  private OverviewReport() {}

  /// @param title empty for the default
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
    blocks.add(Chart.rows("Pages by site", "Pages by site", points(facets.site()), SvgCharts.WIDE));
    blocks.add(
        new Pair(
            Chart.ring("Content types", "Pages by type", points(facets.type()), SvgCharts.HALF),
            Chart.rows(
                "Languages", "Pages by language", points(facets.language()), SvgCharts.HALF)));
    blocks.add(Chart.columns("Age of pages", "Pages by age", ages(facets.date()), SvgCharts.WIDE));
    blocks.add(new Heading("What came last"));
    if (!overview.crawls().isEmpty()) blocks.add(crawls(overview.crawls()));
    blocks.add(newest(overview));
    return new ReportContent(title.isEmpty() ? "Index overview" : title, "", at, blocks);
  }

  private static String changed(@Nullable Instant at) {
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
            Column.link("Start", 46),
            Column.words("Status", 13),
            Column.number("Pages", 10),
            Column.number("Asked for", 31)),
        rows,
        "");
  }

  private static String moment(String text) {
    try {
      return HumanText.time(Instant.parse(text));
    } catch (DateTimeParseException _) {
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
        List.of(Column.link("Page", 40), Column.words("Title", 34), Column.number("Fetched", 26)),
        rows,
        rows.isEmpty() ? "There are none." : "");
  }
}

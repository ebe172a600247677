package io.tidemill.processor.report;

import io.tidemill.analytics.ProjectOverview;
import io.tidemill.analytics.ProjectOverview.SentimentCounts;
import io.tidemill.analytics.ProjectOverview.Share;
import io.tidemill.analytics.StoredItem;
import io.tidemill.processor.chart.ChartPoint;
import io.tidemill.processor.chart.HumanText;
import io.tidemill.processor.chart.Palette;
import io.tidemill.processor.chart.SvgCharts;
import io.tidemill.processor.report.ReportContent.Block;
import io.tidemill.processor.report.ReportContent.Chart;
import io.tidemill.processor.report.ReportContent.Column;
import io.tidemill.processor.report.ReportContent.Figure;
import io.tidemill.processor.report.ReportContent.Figures;
import io.tidemill.processor.report.ReportContent.Heading;
import io.tidemill.processor.report.ReportContent.Pair;
import io.tidemill.processor.report.ReportContent.Paragraph;
import io.tidemill.processor.report.ReportContent.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// The report on the items of one project.
final class ProjectReport {
  private static final Map<String, String> COLOURS =
      Map.of(
          "positive", Palette.GOOD,
          "neutral", Palette.REST,
          "negative", Palette.BAD,
          "not known", Palette.MAIN);

  private final ProjectOverview project;

  private ProjectReport(ProjectOverview project) {
    this.project = project;
  }

  /// @param title empty for the default
  static ReportContent of(String name, ProjectOverview project, String title, Instant at) {
    var subtitle = project.latest() == null ? "" : "as of " + HumanText.time(project.latest());
    return new ReportContent(
        title.isEmpty() ? "Project " + name : title,
        subtitle,
        at,
        new ProjectReport(project).blocks());
  }

  private List<Block> blocks() {
    var totals = project.totals();
    var blocks = new ArrayList<Block>();
    blocks.add(
        new Figures(
            List.of(
                new Figure(HumanText.count(totals.items()), "Items", ""),
                new Figure(HumanText.count(totals.batches()), "Batches", ""),
                new Figure(
                    HumanText.count(totals.failed()),
                    "Failed",
                    totals.failed() > 0 ? "bad" : "good"),
                new Figure(HumanText.count(project.duplicates()), "Near-duplicates", ""))));
    if (totals.items() > 0) addItems(blocks);
    if (!project.failures().isEmpty()) blocks.add(failures());
    return blocks;
  }

  private void addItems(List<Block> blocks) {
    blocks.add(new Heading("Where it comes from"));
    blocks.add(
        new Pair(
            Chart.rows(
                "Platforms", "Items by platform", points(project.platforms()), SvgCharts.HALF),
            Chart.rows(
                "Languages", "Items by language", points(project.languages()), SvgCharts.HALF)));
    blocks.add(Chart.line("Items over time", "Items over time", days()));
    blocks.add(new Heading("How it feels"));
    blocks.add(
        new Chart(
            "Sentiment",
            SvgCharts.ring("Items by sentiment", sentiments(), SvgCharts.WIDE, COLOURS)));
    blocks.add(
        new Paragraph(
            "Sentiment is told for English only; items in other languages count as not known."));
    blocks.add(platforms());
    blocks.add(new Heading("What it is about"));
    blocks.add(
        new Chart(
            "Keywords",
            SvgCharts.rows(
                "Items by keyword",
                project.keywords().stream()
                    .map(word -> new ChartPoint(word.keyword(), (double) word.items()))
                    .toList(),
                SvgCharts.WIDE)));
    blocks.add(items());
  }

  private static List<ChartPoint> points(List<Share> shares) {
    return shares.stream()
        .map(share ->
            new ChartPoint(
                share.name().isEmpty() ? "unknown" : share.name(), (double) share.counts().items()))
        .toList();
  }

  private List<ChartPoint> days() {
    return project.times().stream()
        .map(slot -> new ChartPoint(HumanText.day(slot.at()), (double) slot.counts().items()))
        .toList();
  }

  private List<ChartPoint> sentiments() {
    var positive = sum(SentimentCounts::positive);
    var neutral = sum(SentimentCounts::neutral);
    var negative = sum(SentimentCounts::negative);
    var unknown = sum(SentimentCounts::items) - positive - neutral - negative;
    return Stream.of(
            new ChartPoint("positive", (double) positive),
            new ChartPoint("neutral", (double) neutral),
            new ChartPoint("negative", (double) negative),
            new ChartPoint("not known", (double) unknown))
        .filter(point -> point.value() != 0)
        .sorted(Comparator.comparingDouble(ChartPoint::value).reversed())
        .toList();
  }

  private long sum(ToLongFunction<SentimentCounts> count) {
    return project.platforms().stream().map(Share::counts).mapToLong(count).sum();
  }

  private Table platforms() {
    var rows =
        project.platforms().stream().map(share -> row(share.name(), share.counts())).toList();
    return new Table(
        "Sentiment by platform",
        List.of(
            Column.words("Platform", 30),
            Column.number("Items", 14),
            Column.number("Mean", 14),
            Column.number("Positive", 14),
            Column.number("Neutral", 14),
            Column.number("Negative", 14)),
        rows,
        "");
  }

  private static List<String> row(String name, SentimentCounts counts) {
    var mean = counts.sentiment();
    return List.of(
        name,
        HumanText.count(counts.items()),
        mean == null ? "–" : HumanText.number(mean),
        HumanText.count(counts.positive()),
        HumanText.count(counts.neutral()),
        HumanText.count(counts.negative()));
  }

  private Table items() {
    return new Table(
        "Items that moved most",
        List.of(
            Column.link("Item", 40),
            Column.words("Says", 40),
            Column.words("Platform", 10),
            Column.number("Impact", 10)),
        project.items().stream().map(ProjectReport::row).toList(),
        "");
  }

  private static List<String> row(StoredItem stored) {
    var item = stored.item();
    var says = item.title().isEmpty() ? item.text() : item.title();
    return List.of(
        item.url().isEmpty() ? item.id() : item.url(),
        HumanText.line(says.replaceAll("\\s+", " ")),
        item.platform(),
        HumanText.number(item.findings().impact()));
  }

  private Table failures() {
    return new Table(
        "What failed",
        List.of(Column.words("Reason", 50), Column.words("Kind", 30), Column.number("Items", 20)),
        project.failures().stream()
            .map(failure ->
                List.of(failure.code(), failure.category(), HumanText.count(failure.items())))
            .toList(),
        "");
  }
}

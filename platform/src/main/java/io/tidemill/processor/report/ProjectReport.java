package io.tidemill.processor.report;

import io.tidemill.analytics.ProjectOverview;
import io.tidemill.analytics.ProjectOverview.Feel;
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
import io.tidemill.processor.report.ReportContent.Kind;
import io.tidemill.processor.report.ReportContent.Pair;
import io.tidemill.processor.report.ReportContent.Paragraph;
import io.tidemill.processor.report.ReportContent.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What was collected for one project, and what it says.
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

  /// @param title empty for one of our own
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
            new Chart(
                "Platforms",
                SvgCharts.rows("Items by platform", points(project.platforms()), SvgCharts.HALF)),
            new Chart(
                "Languages",
                SvgCharts.rows("Items by language", points(project.languages()), SvgCharts.HALF))));
    blocks.add(
        new Chart("Items over time", SvgCharts.line("Items over time", days(), SvgCharts.WIDE)));
    blocks.add(new Heading("How it feels"));
    blocks.add(
        new Chart(
            "Sentiment", SvgCharts.ring("Items by sentiment", moods(), SvgCharts.WIDE, COLOURS)));
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
                share.name().isEmpty() ? "unknown" : share.name(), (double) share.feel().items()))
        .toList();
  }

  private List<ChartPoint> days() {
    return project.times().stream()
        .map(slot -> new ChartPoint(HumanText.day(slot.at()), (double) slot.feel().items()))
        .toList();
  }

  private List<ChartPoint> moods() {
    var positive = sum(project.platforms(), "positive");
    var neutral = sum(project.platforms(), "neutral");
    var negative = sum(project.platforms(), "negative");
    var all = project.platforms().stream().mapToLong(share -> share.feel().items()).sum();
    var points =
        new ArrayList<>(
            List.of(
                new ChartPoint("positive", (double) positive),
                new ChartPoint("neutral", (double) neutral),
                new ChartPoint("negative", (double) negative),
                new ChartPoint("not known", (double) (all - positive - neutral - negative))));
    points.removeIf(point -> point.value() == 0);
    points.sort((one, other) -> Double.compare(other.value(), one.value()));
    return points;
  }

  private static long sum(List<Share> shares, String mood) {
    return shares.stream()
        .map(Share::feel)
        .mapToLong(feel ->
            switch (mood) {
              case "positive" -> feel.positive();
              case "neutral" -> feel.neutral();
              default -> feel.negative();
            })
        .sum();
  }

  private Table platforms() {
    var rows = project.platforms().stream().map(share -> row(share.name(), share.feel())).toList();
    return new Table(
        "Sentiment by platform",
        List.of(
            new Column("Platform", 30, Kind.WORDS),
            new Column("Items", 14, Kind.NUMBER),
            new Column("Mean", 14, Kind.NUMBER),
            new Column("Positive", 14, Kind.NUMBER),
            new Column("Neutral", 14, Kind.NUMBER),
            new Column("Negative", 14, Kind.NUMBER)),
        rows,
        "");
  }

  private static List<String> row(String name, Feel feel) {
    var mean = feel.sentiment();
    return List.of(
        name,
        HumanText.count(feel.items()),
        mean == null ? "–" : HumanText.number(mean),
        HumanText.count(feel.positive()),
        HumanText.count(feel.neutral()),
        HumanText.count(feel.negative()));
  }

  private Table items() {
    return new Table(
        "Items that moved most",
        List.of(
            new Column("Item", 40, Kind.LINK),
            new Column("Says", 40, Kind.WORDS),
            new Column("Platform", 10, Kind.WORDS),
            new Column("Impact", 10, Kind.NUMBER)),
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
        List.of(
            new Column("Reason", 50, Kind.WORDS),
            new Column("Kind", 30, Kind.WORDS),
            new Column("Items", 20, Kind.NUMBER)),
        project.failures().stream()
            .map(failure ->
                List.of(failure.code(), failure.category(), HumanText.count(failure.items())))
            .toList(),
        "");
  }
}

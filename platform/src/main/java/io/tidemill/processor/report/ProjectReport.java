package io.tidemill.processor.report;

import io.tidemill.processor.report.Report.Block;
import io.tidemill.processor.report.Report.Chart;
import io.tidemill.processor.report.Report.Column;
import io.tidemill.processor.report.Report.Figure;
import io.tidemill.processor.report.Report.Figures;
import io.tidemill.processor.report.Report.Heading;
import io.tidemill.processor.report.Report.Kind;
import io.tidemill.processor.report.Report.Pair;
import io.tidemill.processor.report.Report.Paragraph;
import io.tidemill.processor.report.Report.Table;
import io.tidemill.store.analytics.Overview;
import io.tidemill.store.analytics.Overview.Feel;
import io.tidemill.store.analytics.Overview.Share;
import io.tidemill.store.analytics.StoredItem;
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

  private final Overview project;

  private ProjectReport(Overview project) {
    this.project = project;
  }

  /// @param title empty for one of our own
  static Report of(String name, Overview project, String title, Instant at) {
    var subtitle = project.latest() == null ? "" : "as of " + Words.time(project.latest());
    return new Report(
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
                new Figure(Words.count(totals.items()), "Items", ""),
                new Figure(Words.count(totals.batches()), "Batches", ""),
                new Figure(
                    Words.count(totals.failed()), "Failed", totals.failed() > 0 ? "bad" : "good"),
                new Figure(Words.count(project.duplicates()), "Near-duplicates", ""))));
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
                Charts.rows("Items by platform", points(project.platforms()), Charts.HALF)),
            new Chart(
                "Languages",
                Charts.rows("Items by language", points(project.languages()), Charts.HALF))));
    blocks.add(new Chart("Items over time", Charts.line("Items over time", days(), Charts.WIDE)));
    blocks.add(new Heading("How it feels"));
    blocks.add(
        new Chart("Sentiment", Charts.ring("Items by sentiment", moods(), Charts.WIDE, COLOURS)));
    blocks.add(
        new Paragraph(
            "Sentiment is told for English only; items in other languages count as not known."));
    blocks.add(platforms());
    blocks.add(new Heading("What it is about"));
    blocks.add(
        new Chart(
            "Keywords",
            Charts.rows(
                "Items by keyword",
                project.keywords().stream()
                    .map(word -> new Point(word.keyword(), (double) word.items()))
                    .toList(),
                Charts.WIDE)));
    blocks.add(items());
  }

  private static List<Point> points(List<Share> shares) {
    return shares.stream()
        .map(share ->
            new Point(
                share.name().isEmpty() ? "unknown" : share.name(), (double) share.feel().items()))
        .toList();
  }

  private List<Point> days() {
    return project.times().stream()
        .map(slot -> new Point(Words.day(slot.at()), (double) slot.feel().items()))
        .toList();
  }

  private List<Point> moods() {
    var positive = sum(project.platforms(), "positive");
    var neutral = sum(project.platforms(), "neutral");
    var negative = sum(project.platforms(), "negative");
    var all = project.platforms().stream().mapToLong(share -> share.feel().items()).sum();
    var points =
        new ArrayList<>(
            List.of(
                new Point("positive", (double) positive),
                new Point("neutral", (double) neutral),
                new Point("negative", (double) negative),
                new Point("not known", (double) (all - positive - neutral - negative))));
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
        Words.count(feel.items()),
        mean == null ? "–" : Words.number(mean),
        Words.count(feel.positive()),
        Words.count(feel.neutral()),
        Words.count(feel.negative()));
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
        Words.line(says.replaceAll("\\s+", " ")),
        item.platform(),
        Words.number(item.findings().impact()));
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
                List.of(failure.code(), failure.category(), Words.count(failure.items())))
            .toList(),
        "");
  }
}

package io.tidemill.processor.report;

import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.CrawlStatus;
import io.tidemill.processor.chart.ChartPoint;
import io.tidemill.processor.chart.HumanText;
import io.tidemill.processor.chart.Palette;
import io.tidemill.processor.chart.SvgCharts;
import io.tidemill.processor.chart.Timeline;
import io.tidemill.processor.chart.ValueTally;
import io.tidemill.processor.report.CrawlData.Visit;
import io.tidemill.processor.report.ReportContent.Block;
import io.tidemill.processor.report.ReportContent.Chart;
import io.tidemill.processor.report.ReportContent.Column;
import io.tidemill.processor.report.ReportContent.Figure;
import io.tidemill.processor.report.ReportContent.Figures;
import io.tidemill.processor.report.ReportContent.Heading;
import io.tidemill.processor.report.ReportContent.Pair;
import io.tidemill.processor.report.ReportContent.Paragraph;
import io.tidemill.processor.report.ReportContent.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// The report on one crawl.
final class CrawlReport {
  private static final Map<String, String> COLOURS =
      Map.of("fetched", Palette.MAIN, "skipped", Palette.REST, "failed", Palette.BAD);
  private static final int MOST_ROWS = 40;
  private static final int LARGEST = 10;

  private final CrawlData crawl;
  private final List<Visit> fetched;

  private CrawlReport(CrawlData crawl) {
    this.crawl = crawl;
    this.fetched = withOutcome("fetched");
  }

  /// @param title empty for the default
  static ReportContent of(CrawlData crawl, String title, Instant at) {
    var shown = title.isEmpty() ? "Crawl of " + host(crawl.url(), crawl.url()) : title;
    return new ReportContent(
        shown, crawl.url() + " · " + state(crawl), at, new CrawlReport(crawl).blocks());
  }

  private static String state(CrawlData crawl) {
    return switch (crawl.status()) {
      case PENDING -> crawl.startedAt() == null ? "not started yet" : "still running";
      case COMPLETED -> crawl.stoppedBy().isEmpty() ? "completed" : "completed at a limit";
      case FAILED -> "failed";
      case CANCELED -> "canceled";
    };
  }

  private List<Block> blocks() {
    var blocks = new ArrayList<Block>();
    blocks.add(new Figures(figures()));
    if (!remarks().isEmpty()) blocks.add(new Paragraph(remarks()));
    if (!crawl.visits().isEmpty()) {
      blocks.add(new Heading("What came back"));
      blocks.add(new Pair(outcomes(), statusCodes()));
      times(blocks);
      blocks.add(new Heading("What the pages are"));
      blocks.add(hosts());
      kinds(blocks);
      blocks.add(new Heading("Pages to look at"));
      blocks.add(problems());
      blocks.add(largest());
    }
    return blocks;
  }

  private List<Figure> figures() {
    var figures = new ArrayList<Figure>();
    var failed = crawl.count("failed");
    figures.add(new Figure(HumanText.count(crawl.count("fetched")), "Pages fetched", ""));
    figures.add(new Figure(HumanText.count(failed), "Failed", failed > 0 ? "bad" : "good"));
    figures.add(new Figure(HumanText.count(crawl.count("skipped")), "Skipped", ""));
    figures.add(new Figure(HumanText.bytes(crawl.count("bytes")), "Received", ""));
    var started = crawl.startedAt();
    var ended = crawl.endedAt();
    if (started != null && ended != null) {
      figures.add(new Figure(HumanText.span(Duration.between(started, ended)), "Duration", ""));
    }
    return figures;
  }

  private String remarks() {
    var remarks = new StringBuilder();
    var started = crawl.startedAt();
    var ended = crawl.endedAt();
    if (started != null) {
      var until = ended == null ? "" : ", ended " + HumanText.time(ended);
      remarks.append("Started ").append(HumanText.time(started)).append(until).append(". ");
    }
    if (!crawl.stoppedBy().isEmpty()) {
      remarks.append("It stopped at a limit that was set: ").append(crawl.stoppedBy()).append(". ");
    }
    if (crawl.status() == CrawlStatus.FAILED && !crawl.error().isEmpty()) {
      remarks.append("It failed: ").append(HumanText.shortened(crawl.error(), 400)).append(". ");
    }
    return remarks.append(extent()).toString().strip();
  }

  private String extent() {
    if (crawl.visits().isEmpty()) return "Nothing is known of its single pages.";
    var all = crawl.count("fetched") + crawl.count("failed") + crawl.count("skipped");
    return all <= crawl.visits().size()
        ? ""
        : "Charts and tables below are of the first %s of %s pages."
            .formatted(HumanText.count(crawl.visits().size()), HumanText.count(all));
  }

  private Chart outcomes() {
    var outcomes =
        List.of("fetched", "skipped", "failed").stream()
            .map(outcome -> new ChartPoint(outcome, (double) crawl.count(outcome)))
            .toList();
    return new Chart(
        "Outcome", SvgCharts.ring("Outcome of the visits", outcomes, SvgCharts.HALF, COLOURS));
  }

  private Chart statusCodes() {
    var tally =
        tally(crawl.visits(), visit -> visit.status() == 0 ? "no answer" : "" + visit.status());
    return Chart.rows("Status codes", "Pages by status code", tally.top(8), SvgCharts.HALF);
  }

  private void times(List<Block> blocks) {
    var moments = fetched.stream().map(Visit::fetchedAt).filter(Objects::nonNull).toList();
    if (moments.size() < 2) return;
    blocks.add(Chart.line("Pages over time (UTC)", "Pages over time", Timeline.of(moments)));
  }

  private Chart hosts() {
    var tally = tally(crawl.visits(), visit -> host(visit.url(), "other"));
    return Chart.rows("Pages by host", "Pages by host", tally.top(10), SvgCharts.WIDE);
  }

  private void kinds(List<Block> blocks) {
    var types = tally(known(Visit::type), Visit::type).all();
    var languages = tally(known(Visit::language), Visit::language).top(8);
    if (!types.isEmpty() || !languages.isEmpty()) {
      blocks.add(
          new Pair(
              Chart.ring("Content types", "Pages by content type", types, SvgCharts.HALF),
              Chart.rows("Languages", "Pages by language", languages, SvgCharts.HALF)));
    }
    var depths =
        tally(
                fetched.stream().filter(visit -> visit.depth() >= 0).toList(),
                visit -> "" + visit.depth())
            .ordered(Comparator.comparingInt(Integer::parseInt), 40);
    if (depths.size() > 1) {
      blocks.add(
          Chart.columns("Links away from the start", "Pages by depth", depths, SvgCharts.WIDE));
    }
    if (!crawl.words().isEmpty()) {
      blocks.add(
          Chart.rows("Words that many pages have", "Pages by word", crawl.words(), SvgCharts.WIDE));
    }
  }

  private List<Visit> known(Function<Visit, String> value) {
    return fetched.stream().filter(visit -> !value.apply(visit).isEmpty()).toList();
  }

  private Table problems() {
    var failed = withOutcome("failed");
    var rows =
        failed.stream()
            .limit(MOST_ROWS)
            .map(visit ->
                List.of(
                    visit.url(), visit.status() == 0 ? "–" : "" + visit.status(), visit.reason()))
            .toList();
    var note =
        failed.isEmpty()
            ? "No page failed."
            : failed.size() > MOST_ROWS
                ? "The first %d of %s.".formatted(MOST_ROWS, HumanText.count(failed.size()))
                : "";
    return new Table(
        "Pages that failed",
        List.of(Column.link("Page", 55), Column.number("Status", 9), Column.words("Reason", 36)),
        rows,
        note);
  }

  private Table largest() {
    var rows =
        fetched.stream()
            .sorted(Comparator.comparingLong(Visit::bytes).reversed())
            .limit(LARGEST)
            .map(visit -> List.of(visit.url(), visit.title(), HumanText.bytes(visit.bytes())))
            .toList();
    return new Table(
        "The largest pages",
        List.of(Column.link("Page", 48), Column.words("Title", 38), Column.number("Size", 14)),
        rows,
        rows.isEmpty() ? "No page was fetched." : "");
  }

  private List<Visit> withOutcome(String outcome) {
    return crawl.visits().stream().filter(visit -> visit.outcome().equals(outcome)).toList();
  }

  private static ValueTally tally(List<Visit> visits, Function<Visit, String> value) {
    var tally = new ValueTally();
    for (var visit : visits) tally.add(value.apply(visit));
    return tally;
  }

  private static String host(String url, String fallback) {
    return WebUrl.parse(url).map(WebUrl::host).orElse(fallback);
  }
}

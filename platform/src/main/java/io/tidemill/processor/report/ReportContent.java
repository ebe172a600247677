package io.tidemill.processor.report;

import io.tidemill.processor.chart.ChartPoint;
import io.tidemill.processor.chart.HumanText;
import io.tidemill.processor.chart.SvgCharts;
import java.time.Instant;
import java.util.List;

/// What a report says, before it has a form.
///
/// @param subtitle one line under the title; may be empty
record ReportContent(String title, String subtitle, Instant at, List<Block> blocks) {
  ReportContent {
    title = HumanText.line(title);
    subtitle = HumanText.line(subtitle);
    blocks = List.copyOf(blocks);
  }

  /// One part of a report, from top to bottom.
  sealed interface Block {}

  /// Large numbers side by side.
  record Figures(List<Figure> figures) implements Block {}

  /// @param tone `good`, `bad` or empty
  record Figure(String value, String label, String tone) {}

  /// A new part.
  record Heading(String text) implements Block {
    Heading {
      text = HumanText.line(text);
    }
  }

  /// A few words.
  record Paragraph(String text) implements Block {}

  /// @param drawing HTML of [SvgCharts]
  record Chart(String title, String drawing) implements Block {
    Chart {
      title = HumanText.line(title);
    }

    /// @param name the accessible name of the drawing
    static Chart rows(String title, String name, List<ChartPoint> points, double width) {
      return new Chart(title, SvgCharts.rows(name, points, width));
    }

    static Chart columns(String title, String name, List<ChartPoint> points, double width) {
      return new Chart(title, SvgCharts.columns(name, points, width));
    }

    static Chart line(String title, String name, List<ChartPoint> points) {
      return new Chart(title, SvgCharts.line(name, points, SvgCharts.WIDE));
    }

    static Chart ring(String title, String name, List<ChartPoint> points, double width) {
      return new Chart(title, SvgCharts.ring(name, points, width));
    }
  }

  /// Two charts of half width, side by side.
  record Pair(Chart left, Chart right) implements Block {}

  /// @param note says what is not in it; may be empty
  record Table(String title, List<Column> columns, List<List<String>> rows, String note)
      implements Block {
    Table {
      title = HumanText.line(title);
    }
  }

  /// @param share how much of the width it takes, in percent
  record Column(String name, int share, Kind kind) {
    Column {
      name = HumanText.line(name);
    }

    static Column words(String name, int share) {
      return new Column(name, share, Kind.WORDS);
    }

    static Column number(String name, int share) {
      return new Column(name, share, Kind.NUMBER);
    }

    static Column link(String name, int share) {
      return new Column(name, share, Kind.LINK);
    }
  }

  /// How a cell is shown.
  enum Kind {
    WORDS,
    NUMBER,
    LINK
  }
}

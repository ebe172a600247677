package io.tidemill.processor.report;

import io.tidemill.processor.chart.HumanText;
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
  }

  /// How a cell is shown.
  enum Kind {
    WORDS,
    NUMBER,
    LINK
  }
}

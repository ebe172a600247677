package io.tidemill.processor.report;

import static io.tidemill.content.text.MarkupEscape.escaped;

import io.tidemill.content.text.ResourceText;
import io.tidemill.processor.chart.HumanText;
import io.tidemill.processor.report.ReportContent.Block;
import io.tidemill.processor.report.ReportContent.Chart;
import io.tidemill.processor.report.ReportContent.Column;
import io.tidemill.processor.report.ReportContent.Figure;
import io.tidemill.processor.report.ReportContent.Figures;
import io.tidemill.processor.report.ReportContent.Heading;
import io.tidemill.processor.report.ReportContent.Pair;
import io.tidemill.processor.report.ReportContent.Paragraph;
import io.tidemill.processor.report.ReportContent.Table;
import java.util.List;

/// A report as one page that is HTML and XML alike: nothing in it is loaded from elsewhere, and
/// nothing in it runs.
final class ReportPage {
  private static final int LONGEST_CELL = 160;
  private static final int LONGEST_LINK = 110;
  private static final String STYLE = ResourceText.of(ReportPage.class, "report.css");

  private ReportPage() {}

  static String html(ReportContent report) {
    var out = new StringBuilder(32_768);
    var title = escaped(report.title());
    var made = escaped(HumanText.time(report.at()));
    out.append(
        """
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="generator" content="Tidemill"/>
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>
        <div class="running head">%s</div>
        <div class="running foot">Tidemill · %s</div>
        <div class="page">
        <div class="title">
        <h1>%s</h1>
        """
            .formatted(
                title, STYLE, escaped(HumanText.shortened(report.title(), 90)), made, title));
    if (!report.subtitle().isEmpty()) {
      out.append("<p class=\"subtitle\">%s</p>\n".formatted(escaped(report.subtitle())));
    }
    out.append("<p class=\"made\">%s</p>\n</div>\n".formatted(made));
    for (var block : report.blocks()) write(block, out);
    return out.append(
            "<p class=\"end\">Made by Tidemill on %s.</p>\n</div>\n</body>\n</html>\n"
                .formatted(made))
        .toString();
  }

  private static void write(Block block, StringBuilder out) {
    switch (block) {
      case Figures(var figures) -> figures(figures, out);
      case Heading(var text) -> out.append("<h2>%s</h2>\n".formatted(escaped(text)));
      case Paragraph(var text) -> out.append("<p>%s</p>\n".formatted(escaped(text)));
      case Chart chart -> chart(chart, out);
      case Pair(var left, var right) -> {
        out.append("<table class=\"pair\"><tr><td>");
        chart(left, out);
        out.append("</td><td class=\"right\">");
        chart(right, out);
        out.append("</td></tr></table>\n");
      }
      case Table table -> table(table, out);
    }
  }

  private static void figures(List<Figure> figures, StringBuilder out) {
    out.append("<table class=\"figures\"><tr>");
    for (var figure : figures) {
      out.append(
          "<td><div class=\"figure\"><div class=\"value %s\">%s</div><div class=\"label\">%s</div></div></td>"
              .formatted(escaped(figure.tone()), escaped(figure.value()), escaped(figure.label())));
    }
    out.append("</tr></table>\n");
  }

  private static void chart(Chart chart, StringBuilder out) {
    out.append(
        "<div class=\"block\"><h3>%s</h3><div class=\"scroll\">%s</div></div>\n"
            .formatted(escaped(chart.title()), chart.drawing()));
  }

  private static void table(Table table, StringBuilder out) {
    out.append("<h3>%s</h3>\n".formatted(escaped(table.title())));
    if (table.rows().isEmpty()) {
      out.append(note(table));
      return;
    }
    out.append("<div class=\"scroll\"><table class=\"data\"><thead><tr>");
    for (var column : table.columns()) {
      out.append(
          "<th%s style=\"width:%d%%\">%s</th>"
              .formatted(numeric(column), column.share(), escaped(column.name())));
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (var row : table.rows()) {
      out.append("<tr>");
      for (int i = 0; i < table.columns().size(); i++)
        cell(table.columns().get(i), row.get(i), out);
      out.append("</tr>\n");
    }
    out.append("</tbody></table></div>\n");
    if (!table.note().isEmpty()) out.append(note(table));
  }

  private static void cell(Column column, String text, StringBuilder out) {
    var shown =
        column.kind() == ReportContent.Kind.LINK
            ? link(text)
            : escaped(HumanText.shortened(text, LONGEST_CELL));
    out.append("<td%s>%s</td>".formatted(numeric(column), shown));
  }

  /// A link for web addresses, plain text otherwise.
  private static String link(String url) {
    var shown = escaped(HumanText.shortened(url, LONGEST_LINK));
    if (!url.startsWith("http://") && !url.startsWith("https://")) return shown;
    return "<a rel=\"noopener noreferrer nofollow\" href=\"%s\">%s</a>"
        .formatted(escaped(url), shown);
  }

  private static String note(Table table) {
    return "<p class=\"note\">%s</p>\n".formatted(escaped(table.note()));
  }

  private static String numeric(Column column) {
    return column.kind() == ReportContent.Kind.NUMBER ? " class=\"number\"" : "";
  }
}

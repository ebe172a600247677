package io.tidemill.processor.report;

import io.tidemill.processor.chart.HumanText;
import io.tidemill.processor.chart.ReportMarkup;
import io.tidemill.processor.report.ReportContent.Block;
import io.tidemill.processor.report.ReportContent.Chart;
import io.tidemill.processor.report.ReportContent.Column;
import io.tidemill.processor.report.ReportContent.Figure;
import io.tidemill.processor.report.ReportContent.Figures;
import io.tidemill.processor.report.ReportContent.Heading;
import io.tidemill.processor.report.ReportContent.Pair;
import io.tidemill.processor.report.ReportContent.Paragraph;
import io.tidemill.processor.report.ReportContent.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// A report as one page that is HTML and XML alike: nothing in it is loaded from elsewhere, and
/// nothing in it runs.
final class ReportPage {
  private static final int LONGEST_CELL = 160;
  private static final int LONGEST_LINK = 110;
  private static final String STYLE = resource("report.css");

  private ReportPage() {}

  private static String resource(String name) {
    try (var in = ReportPage.class.getResourceAsStream(name)) {
      if (in == null) throw new IllegalStateException(name + " is missing");
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static String html(ReportContent report) {
    var out = new StringBuilder(32_768);
    var title = ReportMarkup.escaped(report.title());
    var made = ReportMarkup.escaped(HumanText.time(report.at()));
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
                title,
                STYLE,
                ReportMarkup.escaped(HumanText.shortened(report.title(), 90)),
                made,
                title));
    if (!report.subtitle().isEmpty()) {
      out.append("<p class=\"subtitle\">")
          .append(ReportMarkup.escaped(report.subtitle()))
          .append("</p>\n");
    }
    out.append("<p class=\"made\">").append(made).append("</p>\n</div>\n");
    for (var block : report.blocks()) write(block, out);
    out.append("<p class=\"end\">Made by Tidemill on ").append(made).append(".</p>\n");
    return out.append("</div>\n</body>\n</html>\n").toString();
  }

  private static void write(Block block, StringBuilder out) {
    switch (block) {
      case Figures(var figures) -> figures(figures, out);
      case Heading(var text) ->
          out.append("<h2>").append(ReportMarkup.escaped(text)).append("</h2>\n");
      case Paragraph(var text) ->
          out.append("<p>").append(ReportMarkup.escaped(text)).append("</p>\n");
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
              .formatted(
                  ReportMarkup.escaped(figure.tone()),
                  ReportMarkup.escaped(figure.value()),
                  ReportMarkup.escaped(figure.label())));
    }
    out.append("</tr></table>\n");
  }

  private static void chart(Chart chart, StringBuilder out) {
    out.append("<div class=\"block\"><h3>")
        .append(ReportMarkup.escaped(chart.title()))
        .append("</h3><div class=\"scroll\">")
        .append(chart.drawing())
        .append("</div></div>\n");
  }

  private static void table(Table table, StringBuilder out) {
    out.append("<h3>").append(ReportMarkup.escaped(table.title())).append("</h3>\n");
    if (table.rows().isEmpty()) {
      out.append("<p class=\"note\">").append(ReportMarkup.escaped(table.note())).append("</p>\n");
      return;
    }
    out.append("<div class=\"scroll\"><table class=\"data\"><thead><tr>");
    for (var column : table.columns()) {
      out.append(
          "<th%s style=\"width:%d%%\">%s</th>"
              .formatted(numeric(column), column.share(), ReportMarkup.escaped(column.name())));
    }
    out.append("</tr></thead>\n<tbody>\n");
    for (var row : table.rows()) {
      out.append("<tr>");
      for (int i = 0; i < table.columns().size(); i++)
        cell(table.columns().get(i), row.get(i), out);
      out.append("</tr>\n");
    }
    out.append("</tbody></table></div>\n");
    if (!table.note().isEmpty()) {
      out.append("<p class=\"note\">").append(ReportMarkup.escaped(table.note())).append("</p>\n");
    }
  }

  private static void cell(Column column, String text, StringBuilder out) {
    out.append("<td").append(numeric(column)).append('>');
    out.append(
        column.kind() == ReportContent.Kind.LINK
            ? ReportMarkup.link(text, LONGEST_LINK)
            : ReportMarkup.escaped(HumanText.shortened(text, LONGEST_CELL)));
    out.append("</td>");
  }

  private static String numeric(Column column) {
    return column.kind() == ReportContent.Kind.NUMBER ? " class=\"number\"" : "";
  }
}

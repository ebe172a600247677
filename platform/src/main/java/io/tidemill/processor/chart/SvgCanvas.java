package io.tidemill.processor.chart;

import io.tidemill.content.text.MarkupEscape;
import java.util.Locale;

/// A drawing: shapes as SVG, and its texts as HTML above it, so that they use the page's font and
/// can be selected.
final class SvgCanvas {
  /// The font size that layout assumes: larger than the actual one, since browsers substitute
  /// fonts.
  static final double LETTER = 12;

  /// The alignment of a text within its width.
  enum Align {
    LEFT,
    CENTER,
    RIGHT
  }

  private static final double LINE = 14;

  private final double width;
  private final double height;
  private final String name;
  private final StringBuilder shapes = new StringBuilder();
  private final StringBuilder words = new StringBuilder();

  /// @param name the accessible name of the drawing
  SvgCanvas(String name, double width, double height) {
    this.name = HumanText.line(name);
    this.width = width;
    this.height = height;
  }

  double width() {
    return width;
  }

  double height() {
    return height;
  }

  void line(double x1, double y1, double x2, double y2, String colour) {
    shapes.append(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\" stroke-width=\"1\"/>"
            .formatted(at(x1), at(y1), at(x2), at(y2), colour));
  }

  /// @param tip the tooltip
  void bar(double x, double y, double width, double height, String colour, String tip) {
    var round = at(Math.min(2.5, Math.min(width, height) / 2));
    shapes.append(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"%s\" ry=\"%s\" fill=\"%s\">%s</rect>"
            .formatted(at(x), at(y), at(width), at(height), round, round, colour, title(tip)));
  }

  void dot(double x, double y, double radius, String colour, String tip) {
    shapes.append(
        "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"1\">%s</circle>"
            .formatted(at(x), at(y), at(radius), colour, title(tip)));
  }

  void area(String path, String colour) {
    shapes.append(
        "<path d=\"%s\" fill=\"%s\" fill-opacity=\"0.14\" stroke=\"none\"/>"
            .formatted(path, colour));
  }

  void curve(String path, String colour) {
    shapes.append(
        "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
            .formatted(path, colour));
  }

  void slice(String path, String colour, String tip) {
    shapes.append(
        "<path d=\"%s\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"1.5\">%s</path>"
            .formatted(path, colour, title(tip)));
  }

  private static String title(String tip) {
    return tip.isEmpty() ? "" : "<title>" + MarkupEscape.escaped(tip) + "</title>";
  }

  /// A text centred on a height, cut to its width.
  void words(String text, double x, double y, double room, Align align, String style) {
    var shown = HumanText.fitted(text, room, LETTER);
    words.append(
        "<div class=\"w %s %s\" style=\"left:%spx;top:%spx;width:%spx\">%s</div>"
            .formatted(
                align.name().toLowerCase(Locale.ROOT),
                style,
                at(x),
                at(y - LINE / 2),
                at(room),
                MarkupEscape.escaped(shown)));
  }

  /// A place in a path.
  static String at(double x, double y) {
    return at(x) + " " + at(y);
  }

  private static String at(double value) {
    var text = String.format(Locale.ROOT, "%.2f", value);
    return text.equals("-0.00") ? "0.00" : text;
  }

  /// The drawing as a part of a page.
  String html() {
    // The PDF renderer accepts whole numbers only.
    var wide = (int) Math.ceil(width);
    var high = (int) Math.ceil(height);
    return """
    <div class="chart" style="width:%dpx;height:%dpx"><svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="%s" width="%d" height="%d" viewBox="0 0 %d %d">%s</svg>%s</div>
    """
        .formatted(wide, high, MarkupEscape.escaped(name), wide, high, wide, high, shapes, words);
  }
}

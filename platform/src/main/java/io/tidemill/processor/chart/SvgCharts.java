package io.tidemill.processor.chart;

import io.tidemill.processor.chart.SvgCanvas.Align;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Draws charts of any numbers: none, one, negative, equal, huge.
public final class SvgCharts {
  /// As wide as the text of a page.
  public static final double WIDE = 656;

  /// Half of it.
  public static final double HALF = 318;

  private static final double TOP = 10;
  private static final double AXIS_ROOM = 42;
  private static final double LABEL_ROOM = 22;
  private static final double ROW = 22;
  private static final int MOST_ROWS = 12;
  private static final int MOST_SLICES = 6;
  private static final double MOST_LEGEND = 400;
  private static final int MOST_POINTS = 400;

  private SvgCharts() {}

  /// Columns from left to right, such as counts per step.
  public static String columns(String name, List<ChartPoint> points, double width) {
    if (points.isEmpty()) return nothing(name, width);
    var plot = Plot.of(name, points, width);
    var thickness = Math.min(46, plot.slot * 0.72);
    var zero = plot.y(0);
    for (int i = 0; i < plot.points.size(); i++) {
      var point = plot.points.get(i);
      var end = plot.y(point.value());
      plot.canvas.bar(
          AXIS_ROOM + i * plot.slot + (plot.slot - thickness) / 2,
          Math.min(zero, end),
          thickness,
          Math.abs(zero - end),
          Palette.MAIN,
          tip(point));
    }
    plot.zeroLine();
    return plot.finish();
  }

  /// A line with the area under it, such as counts over time.
  public static String line(String name, List<ChartPoint> points, double width) {
    if (points.isEmpty()) return nothing(name, width);
    var plot = Plot.of(name, points, width);
    var count = plot.points.size();
    if (count > 1) {
      var path =
          IntStream.range(0, count).mapToObj(plot::at).collect(Collectors.joining("L", "M", ""));
      var zero = plot.y(0);
      var under =
          "L%s L%s Z"
              .formatted(SvgCanvas.at(plot.x(count - 1), zero), SvgCanvas.at(plot.x(0), zero));
      plot.canvas.area(path + under, Palette.MAIN);
      plot.canvas.curve(path, Palette.MAIN);
    }
    plot.zeroLine();
    if (count <= 60) {
      for (int i = 0; i < count; i++) {
        var point = plot.points.get(i);
        plot.canvas.dot(plot.x(i), plot.y(point.value()), 3, Palette.MAIN, tip(point));
      }
    }
    return plot.finish();
  }

  /// The points of a chart between a vertical axis of numbers and a horizontal one of labels.
  private record Plot(SvgCanvas canvas, ChartScale scale, List<ChartPoint> points, double slot) {
    static Plot of(String name, List<ChartPoint> all, double width) {
      var points = all.subList(0, Math.min(all.size(), MOST_POINTS));
      var scale = ChartScale.of(points.stream().map(ChartPoint::value).toList(), 4);
      var slot = (width - AXIS_ROOM) / points.size();
      var plot = new Plot(new SvgCanvas(name, width, 190), scale, points, slot);
      plot.grid();
      return plot;
    }

    double x(int index) {
      return AXIS_ROOM + (index + 0.5) * slot;
    }

    double y(double value) {
      return TOP + (1 - scale.at(value)) * (canvas.height() - TOP - LABEL_ROOM);
    }

    String at(int index) {
      return SvgCanvas.at(x(index), y(points.get(index).value()));
    }

    private void grid() {
      for (var tick : scale.ticks()) {
        canvas.line(AXIS_ROOM, y(tick), canvas.width(), y(tick), Palette.GRID);
        canvas.words(HumanText.brief(tick), 0, y(tick), AXIS_ROOM - 8, Align.RIGHT, "soft");
      }
    }

    void zeroLine() {
      canvas.line(AXIS_ROOM, y(0), canvas.width(), y(0), Palette.AXIS);
    }

    /// Adds every label that has room: each second one, each third one, and so on.
    String finish() {
      var wanted = Math.clamp(widest(points) + 10, 16, 110);
      var step = Math.max(1, (int) Math.ceil(wanted / slot));
      var room = slot * step;
      var y = canvas.height() - LABEL_ROOM / 2;
      for (int i = 0; i < points.size(); i += step) {
        var left = Math.max(0, x(i) - room / 2);
        var right = Math.min(canvas.width(), x(i) + room / 2);
        canvas.words(points.get(i).label(), left, y, right - left, Align.CENTER, "soft");
      }
      return canvas.html();
    }
  }

  private static double widest(List<ChartPoint> points) {
    return points.stream()
        .mapToDouble(point -> HumanText.width(point.label(), SvgCanvas.LETTER))
        .max()
        .orElse(0);
  }

  /// Horizontal bars with their names, the first on top; at most twelve.
  public static String rows(String name, List<ChartPoint> points, double width) {
    if (points.isEmpty()) return nothing(name, width);
    var shown = points.subList(0, Math.min(points.size(), MOST_ROWS));
    var canvas = new SvgCanvas(name, width, shown.size() * ROW + 6);
    var scale = ChartScale.of(shown.stream().map(ChartPoint::value).toList(), 4);
    var names = Math.clamp(widest(shown) + 20, 50, width * 0.42);
    var values = negativeShare(scale) == 0.5 ? 100.0 : 52.0;
    var span = width - names - values;
    var zero = names + values * negativeShare(scale) + scale.at(0) * span;
    for (int i = 0; i < shown.size(); i++) {
      row(canvas, shown.get(i), i * ROW + ROW / 2 + 3, names, zero, scale, span);
    }
    canvas.line(zero, 2, zero, canvas.height() - 2, Palette.AXIS);
    return canvas.html();
  }

  // Numbers of negative bars stand on the left of them.
  private static double negativeShare(ChartScale scale) {
    if (scale.low() >= 0) return 0;
    return scale.high() <= 0 ? 1 : 0.5;
  }

  private static void row(
      SvgCanvas canvas,
      ChartPoint point,
      double y,
      double names,
      double zero,
      ChartScale scale,
      double span) {
    var length = (scale.at(point.value()) - scale.at(0)) * span;
    canvas.words(point.label(), 0, y, names - 10, Align.RIGHT, "");
    var left = Math.min(zero, zero + length);
    canvas.bar(left, y - 7, seen(length, point), 14, Palette.MAIN, tip(point));
    var text = HumanText.brief(point.value());
    if (length < 0) canvas.words(text, left - 50, y, 46, Align.RIGHT, "soft");
    else canvas.words(text, zero + length + 5, y, 46, Align.LEFT, "soft");
  }

  // A small value stays visible.
  private static double seen(double length, ChartPoint point) {
    return point.value() == 0 ? 0 : Math.max(1.5, Math.abs(length));
  }

  /// Shares of a whole as a ring; small ones are merged.
  ///
  /// @param points all parts of the whole, the largest first
  public static String ring(String name, List<ChartPoint> points, double width) {
    return ring(name, points, width, Map.of());
  }

  /// @param colours by label, for labels with a fixed one
  public static String ring(
      String name, List<ChartPoint> points, double width, Map<String, String> colours) {
    return drawn(name, slices(points, 0, colours), width);
  }

  /// All values of a tally as a ring, including those that are counted together.
  public static String ring(String name, ValueTally tally, double width) {
    return drawn(name, slices(tally.all(), tally.beyond(), Map.of()), width);
  }

  private static String drawn(String name, List<Slice> slices, double width) {
    var total = slices.stream().mapToDouble(Slice::value).sum();
    if (!(total > 0)) return nothing(name, width);
    var canvas = new SvgCanvas(name, width, Math.max(150, slices.size() * 19 + 20));
    var middle = canvas.height() / 2;
    var angle = 0.0;
    for (var slice : slices) {
      var end = angle + slice.value / total;
      canvas.slice(
          arc(72, middle, angle, end), slice.colour, tip(new ChartPoint(slice.label, slice.value)));
      angle = end;
    }
    canvas.words(HumanText.brief(total), 32, middle, 80, Align.CENTER, "strong");
    legend(canvas, slices, total);
    return canvas.html();
  }

  private record Slice(String label, double value, String colour) {}

  private static List<Slice> slices(
      List<ChartPoint> points, double beyond, Map<String, String> colours) {
    var sound =
        points.stream()
            .map(point -> new ChartPoint(point.label(), ChartScale.bounded(point.value()) / 1e3))
            .filter(point -> point.value() > 0)
            .toList();
    // A single remaining slice keeps its name, unless more values are counted together.
    var most = beyond > 0 || sound.size() > MOST_SLICES + 1 ? MOST_SLICES : sound.size();
    var shown = sound.subList(0, Math.min(most, sound.size()));
    var slices = new ArrayList<Slice>();
    for (var point : shown) {
      var colour = colours.getOrDefault(point.label(), Palette.colour(slices.size()));
      slices.add(new Slice(point.label(), point.value() * 1e3, colour));
    }
    var skipped = sound.stream().skip(shown.size()).mapToDouble(ChartPoint::value).sum() * 1e3;
    var rest = skipped + Math.max(0, ChartScale.bounded(beyond));
    if (rest > 0) slices.add(new Slice("other", rest, Palette.REST));
    return slices;
  }

  private static void legend(SvgCanvas canvas, List<Slice> slices, double total) {
    var top = canvas.height() / 2 - (slices.size() - 1) * 19 / 2.0;
    for (int i = 0; i < slices.size(); i++) {
      var slice = slices.get(i);
      var y = top + i * 19;
      canvas.bar(160, y - 5, 10, 10, slice.colour, "");
      var right = Math.min(canvas.width(), MOST_LEGEND);
      canvas.words(slice.label, 176, y, right - 176 - 52, Align.LEFT, "");
      canvas.words(HumanText.percent(slice.value / total), right - 50, y, 50, Align.RIGHT, "soft");
    }
  }

  /// A part of the ring; from and to are shares of the whole turn.
  private static String arc(double x, double y, double from, double to) {
    // A whole turn ends where it begins, which is no arc.
    var end = to - from > 0.9999 ? from + 0.9999 : to;
    var large = end - from > 0.5 ? 1 : 0;
    return "M%s A66 66 0 %d 1 %s L%s A42 42 0 %d 0 %s Z"
        .formatted(
            on(x, y, 66, from),
            large,
            on(x, y, 66, end),
            on(x, y, 42, end),
            large,
            on(x, y, 42, from));
  }

  private static String on(double x, double y, double radius, double turn) {
    var angle = turn * 2 * Math.PI - Math.PI / 2;
    return SvgCanvas.at(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }

  private static String nothing(String name, double width) {
    var canvas = new SvgCanvas(name, width, 60);
    canvas.bar(0, 5, width, 50, "#f4f7f9", "");
    canvas.words("No data", 0, 30, width, Align.CENTER, "soft");
    return canvas.html();
  }

  private static String tip(ChartPoint point) {
    return point.label() + ": " + HumanText.number(point.value());
  }
}

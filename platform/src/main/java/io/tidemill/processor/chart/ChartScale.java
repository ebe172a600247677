package io.tidemill.processor.chart;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// An axis that holds a set of values and zero, with round numbers along it.
///
/// @param low where the axis begins, at most 0
/// @param high where it ends, at least 0 and above `low`
public record ChartScale(double low, double high, List<Double> ticks) {
  /// Beyond this the difference of two values may overflow.
  private static final double MOST = 1e300;

  /// @param ticks about how many are wanted
  static ChartScale of(Collection<Double> values, int ticks) {
    var low = 0.0;
    var high = 0.0;
    for (var value : values) {
      var bounded = bounded(value);
      low = Math.min(low, bounded);
      high = Math.max(high, bounded);
    }
    if (low == high) high = 1;
    var areWhole = values.stream().allMatch(value -> bounded(value) == Math.rint(bounded(value)));
    return between(low, high, step((high - low) / Math.max(1, ticks), areWhole));
  }

  private static ChartScale between(double low, double high, double step) {
    var first = Math.floor(low / step);
    var last = Math.ceil(high / step);
    var marks = new ArrayList<Double>();
    for (var i = first; i <= last && marks.size() < 50; i++) marks.add(i * step);
    return new ChartScale(first * step, last * step, List.copyOf(marks));
  }

  /// The next round number.
  public static double step(double rough, boolean areWhole) {
    var power = Math.pow(10, Math.floor(Math.log10(rough)));
    var fraction = rough / power;
    var round = fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10;
    var step = round * power;
    return areWhole ? Math.max(1, step) : step;
  }

  /// A value that can be drawn: NaN counts as 0.
  public static double bounded(double value) {
    if (Double.isNaN(value)) return 0;
    return Math.clamp(value, -MOST, MOST);
  }

  /// How far along the axis a value is, from 0 to 1.
  double at(double value) {
    return Math.clamp((bounded(value) / 2 - low / 2) / (high / 2 - low / 2), 0, 1);
  }
}

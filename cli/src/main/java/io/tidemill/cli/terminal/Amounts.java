package io.tidemill.cli.terminal;

import java.time.Duration;
import java.util.Locale;

/// Numbers as people read them, the same in every country.
public final class Amounts {
  private static final String[] UNITS = {"kB", "MB", "GB", "TB", "PB", "EB"};

  private Amounts() {}

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /// A number and what it counts: `1 page`, `2 pages`.
  public static String count(long count, String one) {
    return count(count) + " " + one + (count == 1 ? "" : "s");
  }

  public static String bytes(long bytes) {
    if (bytes < 1_000) return bytes + " B";
    var value = bytes / 1_000.0;
    var unit = 0;
    // From 999.95 on it would be shown as 1000.0.
    while (value >= 999.95 && unit < UNITS.length - 1) {
      value /= 1_000;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }

  public static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.1f pages/s" : "%,.0f pages/s", perSecond);
  }

  public static String seconds(Duration span) {
    return span.toSeconds() < 60
        ? String.format(Locale.ROOT, "%.1f s", span.toMillis() / 1_000.0)
        : clock(span);
  }

  /// As a stop-watch shows it: `0:07`, `1:02:03`.
  public static String clock(Duration span) {
    var hours = span.toHours();
    return hours > 0
        ? String.format(
            Locale.ROOT, "%d:%02d:%02d", hours, span.toMinutesPart(), span.toSecondsPart())
        : String.format(Locale.ROOT, "%d:%02d", span.toMinutesPart(), span.toSecondsPart());
  }
}

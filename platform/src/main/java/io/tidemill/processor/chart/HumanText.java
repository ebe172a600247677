package io.tidemill.processor.chart;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/// Numbers, sizes and times as people read them.
public final class HumanText {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH).withZone(ZoneOffset.UTC);
  private static final String[] UNITS = {"", "k", "M", "G", "T", "P"};
  private static final String[] SIZES = {"bytes", "KB", "MB", "GB", "TB", "PB"};

  private static final int LONGEST_LINE = 200;

  private HumanText() {}

  public static String count(long number) {
    return String.format(Locale.ENGLISH, "%,d", number);
  }

  /// With as many decimals as are significant.
  public static String number(double number) {
    if (!Double.isFinite(number)) return "–";
    var size = Math.abs(number);
    if (size >= 1e15 || (size > 0 && size < 1e-4)) {
      return String.format(Locale.ENGLISH, "%.2e", number);
    }
    if (number == Math.rint(number)) return String.format(Locale.ENGLISH, "%,.0f", number);
    var places = size >= 1_000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 4;
    return trimmed(String.format(Locale.ENGLISH, "%,." + places + "f", number));
  }

  /// Short enough for an axis: `1.5k`.
  public static String brief(double number) {
    if (!Double.isFinite(number)) return "–";
    var size = Math.abs(number);
    if (size >= 1e18) return String.format(Locale.ENGLISH, "%.0e", number).replace("e+", "e");
    var unit = 0;
    while (size >= 999.5 && unit < UNITS.length - 1) {
      size /= 1_000;
      number /= 1_000;
      unit++;
    }
    if (size > 0 && size < 0.001) return String.format(Locale.ENGLISH, "%.0e", number);
    var places = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
    return trimmed(String.format(Locale.ENGLISH, "%." + places + "f", number)) + UNITS[unit];
  }

  private static String trimmed(String number) {
    if (number.indexOf('.') < 0) return number;
    var shorter = number.replaceAll("0+$", "").replaceAll("\\.$", "");
    return shorter.equals("-0") ? "0" : shorter;
  }

  public static String bytes(long count) {
    var bytes = (double) count;
    var unit = 0;
    while (bytes >= 999.5 && unit < SIZES.length - 1) {
      bytes /= 1_000;
      unit++;
    }
    var places = unit == 0 || bytes >= 100 ? 0 : 1;
    return String.format(Locale.ENGLISH, "%." + places + "f %s", bytes, SIZES[unit]);
  }

  public static String time(Instant at) {
    return MINUTE.format(at);
  }

  public static String day(Instant at) {
    return DAY.format(at);
  }

  public static String span(Duration span) {
    var seconds = span.toSeconds();
    if (seconds < 1) return span.toMillis() + " ms";
    if (seconds < 60) return seconds + " s";
    if (seconds < 3_600) return seconds / 60 + " min " + seconds % 60 + " s";
    if (seconds < 172_800) return seconds / 3_600 + " h " + seconds % 3_600 / 60 + " min";
    return seconds / 86_400 + " days";
  }

  static String percent(double share) {
    var percent = share * 100;
    if (percent > 0 && percent < 0.1) return "< 0.1%";
    return trimmed(String.format(Locale.ENGLISH, "%.1f", percent)) + "%";
  }

  /// Cut to the length of a title: laying out a PDF takes time for each character.
  public static String line(String text) {
    return shortened(text, LONGEST_LINE);
  }

  /// Cut in the middle: the start and the end of a URL say more than its middle.
  public static String shortened(String text, int most) {
    var length = text.codePointCount(0, text.length());
    if (length <= most) return text;
    var head = (most - 1) * 2 / 3;
    var tail = most - 1 - head;
    return text.substring(0, text.offsetByCodePoints(0, head))
        + "…"
        + text.substring(text.offsetByCodePoints(text.length(), -tail));
  }

  /// Cut at the end to fit a width at a font size; East Asian characters are twice as wide.
  static String fitted(String text, double width, double size) {
    var left = width / size;
    var end = 0;
    while (end < text.length()) {
      var c = text.codePointAt(end);
      left -= width(c);
      if (left < 0.6 && end + Character.charCount(c) < text.length()) {
        return text.substring(0, end) + "…";
      }
      end += Character.charCount(c);
    }
    return text;
  }

  static double width(String text, double size) {
    return text.codePoints().mapToDouble(HumanText::width).sum() * size;
  }

  private static double width(int c) {
    if (c >= 0x1100) return 1;
    if (Character.isUpperCase(c) || c == 'm' || c == 'w' || c == '@' || c == '%') return 0.74;
    return "iljtfr.,:;|!'()[] /-".indexOf(c) >= 0 ? 0.32 : 0.56;
  }
}

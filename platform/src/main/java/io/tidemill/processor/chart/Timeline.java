package io.tidemill.processor.chart;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// Counts of events over time, in steps of a round length, including empty ones.
public final class Timeline {
  private static final int MOST_STEPS = 48;
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-01-01T00:00:00Z");
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(15),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofDays(1),
          Duration.ofDays(7),
          Duration.ofDays(30),
          Duration.ofDays(365),
          Duration.ofDays(3_650));

  private Timeline() {}

  public static List<ChartPoint> of(Collection<Instant> all) {
    var moments = all.stream().filter(Timeline::isOnACalendar).toList();
    if (moments.isEmpty()) return List.of();
    var first = Collections.min(moments).getEpochSecond();
    var last = Collections.max(moments).getEpochSecond();
    var step = step(last - first);
    var from = Math.floorDiv(first, step);
    var steps = (int) Math.min(Math.floorDiv(last, step) - from + 1, MOST_STEPS * 4L);
    var counts = new long[steps];
    for (var moment : moments) {
      var at = Math.floorDiv(moment.getEpochSecond(), step) - from;
      counts[(int) Math.min(at, steps - 1)]++;
    }
    var label = label(step);
    var points = new ArrayList<ChartPoint>();
    for (int i = 0; i < steps; i++) {
      points.add(
          new ChartPoint(
              label.format(Instant.ofEpochSecond((from + i) * step)), (double) counts[i]));
    }
    return points;
  }

  private static boolean isOnACalendar(Instant moment) {
    return moment.isAfter(FIRST) && moment.isBefore(LAST);
  }

  private static long step(long seconds) {
    for (var step : STEPS) {
      if (seconds / step.toSeconds() < MOST_STEPS) return step.toSeconds();
    }
    return STEPS.getLast().toSeconds();
  }

  private static DateTimeFormatter label(long step) {
    var pattern =
        step < 60
            ? "HH:mm:ss"
            : step < 21_600
                ? "HH:mm"
                : step < 86_400 ? "d MMM HH:mm" : step < 2_592_000 ? "d MMM" : "MMM uuuu";
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(ZoneOffset.UTC);
  }
}

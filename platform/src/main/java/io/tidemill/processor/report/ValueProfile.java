package io.tidemill.processor.report;

import io.tidemill.processor.chart.ChartPoint;
import io.tidemill.processor.chart.ChartScale;
import io.tidemill.processor.chart.HumanText;
import io.tidemill.processor.chart.ValueTally;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/// A profile of the values of one field, in one pass and bounded memory.
final class ValueProfile {
  /// Enough for a median and a histogram close to the exact ones.
  private static final int SAMPLE = 20_000;

  private static final int FIRST_NUMBERS = 64;
  private static final int BINS = 16;

  private final String name;
  private final ValueTally texts;
  private final List<Instant> moments = new ArrayList<>();
  // Always the same sample of the same records.
  private final Random random = new Random(1);
  private double[] numbers = {};
  private long numberCount;
  private long momentCount;
  private long textCount;
  private double sum;
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;

  /// @param room for its values
  ValueProfile(String name, ValueTally.Room room) {
    this.name = name;
    this.texts = new ValueTally(room);
  }

  String name() {
    return name;
  }

  void add(JsonNode value) {
    if (value.isNull() || value.isContainer()) return;
    if (value.isNumber()) {
      number(value.doubleValue(Double.NaN));
      return;
    }
    var text = value.asString();
    textCount++;
    count(text.isEmpty() ? "(empty)" : text);
    if (value.isString()) moment(text);
  }

  // Values with too many distinct ones are not shown: others need the room.
  private void count(String text) {
    if (!texts.isComplete()) return;
    texts.add(text);
    if (!texts.isComplete()) texts.forget();
  }

  private void number(double value) {
    if (!Double.isFinite(value)) return;
    var place = numberCount < SAMPLE ? numberCount : random.nextLong(numberCount + 1);
    if (place < SAMPLE) put((int) place, value);
    numberCount++;
    sum += value;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }

  private void put(int place, double value) {
    if (place == numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.clamp(2L * place, FIRST_NUMBERS, SAMPLE));
    }
    numbers[place] = value;
  }

  private void moment(String text) {
    if (text.length() < 10 || text.length() > 40 || text.charAt(4) != '-') return;
    try {
      var at =
          text.length() == 10
              ? LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
              : OffsetDateTime.parse(text).toInstant();
      var place = momentCount < SAMPLE ? momentCount : random.nextLong(momentCount + 1);
      if (place == moments.size()) moments.add(at);
      else if (place < SAMPLE) moments.set((int) place, at);
      momentCount++;
    } catch (DateTimeException _) {
      // Text that only begins like a date.
    }
  }

  boolean isNumeric() {
    return numberCount > 0 && numberCount >= textCount;
  }

  boolean isTime() {
    return momentCount > 0 && momentCount * 2 >= textCount && textCount > numberCount;
  }

  /// Whether its values come often enough to be counted.
  boolean isCategory() {
    return !isTime()
        && textCount > numberCount
        && texts.isComplete()
        && (texts.different() <= 12 || texts.different() * 2L <= textCount);
  }

  /// Whether only some of the moments are in the timeline.
  boolean isSampled() {
    return momentCount > SAMPLE;
  }

  List<ChartPoint> top(int most) {
    return texts.top(most);
  }

  int different() {
    return texts.different();
  }

  List<Instant> moments() {
    return moments;
  }

  long count() {
    return numberCount;
  }

  double sum() {
    return sum;
  }

  double mean() {
    return sum / numberCount;
  }

  double least() {
    return least;
  }

  double most() {
    return most;
  }

  double median() {
    var sorted = sample();
    var middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2;
  }

  private double[] sample() {
    var sorted = Arrays.copyOf(numbers, (int) Math.min(numberCount, SAMPLE));
    Arrays.sort(sorted);
    return sorted;
  }

  /// How many values lie in each of some equal spans; each is named by where it begins, which is a
  /// round number.
  List<ChartPoint> histogram() {
    var sorted = sample();
    if (sorted.length == 0) return List.of();
    var areWhole = Arrays.stream(sorted).allMatch(value -> value == Math.rint(value));
    var rough = ChartScale.bounded(most) / BINS - ChartScale.bounded(least) / BINS;
    if (!(rough > 0)) return List.of(new ChartPoint(HumanText.brief(least), (double) numberCount));
    var width = ChartScale.step(rough, areWhole);
    var first = Math.floor(ChartScale.bounded(least) / width);
    var bins = (int) (Math.floor(ChartScale.bounded(most) / width) - first + 1);
    var counts = new double[bins];
    for (var value : sorted) {
      var bin = (int) (Math.floor(ChartScale.bounded(value) / width) - first);
      counts[Math.clamp(bin, 0, bins - 1)] += (double) numberCount / sorted.length;
    }
    var points = new ArrayList<ChartPoint>();
    for (int i = 0; i < bins; i++) {
      points.add(new ChartPoint(HumanText.brief((first + i) * width), Math.rint(counts[i])));
    }
    return points;
  }
}

package io.tidemill.processor.profile;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.SplittableRandom;
import tools.jackson.databind.node.ObjectNode;

/// Least, greatest, mean and median of numbers; the median of a sample when they are many.
final class NumberProfile {
  private static final int SAMPLE = 2_001;
  private static final int DIGITS = 15;

  private final double[] sample = new double[SAMPLE];
  // The same numbers give the same profile.
  private final SplittableRandom random = new SplittableRandom(1);
  private double least = Double.POSITIVE_INFINITY;
  private double greatest = Double.NEGATIVE_INFINITY;
  private double mean;
  private long count;

  void add(double value) {
    if (!Double.isFinite(value)) return;
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
    count++;
    // In two parts, since the difference of two numbers may be too large for one.
    mean += value / count - mean / count;
    var place = count <= SAMPLE ? count - 1 : random.nextLong(count);
    if (place < SAMPLE) sample[(int) place] = value;
  }

  void writeTo(ObjectNode out) {
    if (count == 0) return;
    out.put("min", decimal(least)).put("max", decimal(greatest));
    out.put("mean", decimal(mean)).put("median", decimal(median()));
  }

  private double median() {
    var sorted = Arrays.copyOf(sample, (int) Math.min(count, SAMPLE));
    Arrays.sort(sorted);
    var middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : sorted[middle - 1] / 2 + sorted[middle] / 2;
  }

  private static BigDecimal decimal(double value) {
    var exact = BigDecimal.valueOf(value).round(new MathContext(DIGITS)).stripTrailingZeros();
    return exact.scale() < 0 && exact.precision() - exact.scale() <= DIGITS
        ? exact.setScale(0)
        : exact;
  }
}

package io.tidemill.content.html;

import java.util.List;
import java.util.function.Predicate;

/// How much readable text lies below each part; asides count for nothing.
final class PartValues {
  /// Shorter lines are as likely labels as text.
  static final int LINE = 40;

  private final long[] sums;

  PartValues(List<TextBlock> blocks) {
    sums = new long[blocks.size() + 1];
    for (var i = 0; i < blocks.size(); i++) sums[i + 1] = sums[i] + value(blocks.get(i));
  }

  long of(TextPart part) {
    return sums[part.end] - sums[part.first];
  }

  long total() {
    return sums[sums.length - 1];
  }

  /// The parts of one kind that lie in no other of that kind.
  Rivals rivals(List<TextPart> parts, Predicate<TextPart> kind) {
    var rivals = new Rivals(0, 0, 0);
    var end = 0;
    for (var part : parts) {
      if (part.first < end || part.aside || !kind.test(part)) continue;
      rivals = rivals.with(of(part));
      end = part.end;
    }
    return rivals;
  }

  private static long value(TextBlock block) {
    if (block.part.aside || block.plain() < LINE || block.linkDensity() > 0.5) return 0;
    return block.isPunctuated() ? 3L * block.plain() : block.plain();
  }

  record Rivals(long sum, long largest, long second) {
    /// Whether a value holds most of the text of all.
    boolean isMost(long value) {
      return 3 * value > 2 * sum;
    }

    /// Whether a value is the largest by far.
    boolean standsOut(long value) {
      return value == largest && value > 3 * second;
    }

    private Rivals with(long value) {
      return value > largest
          ? new Rivals(sum + value, value, largest)
          : new Rivals(sum + value, largest, Math.max(second, value));
    }
  }
}

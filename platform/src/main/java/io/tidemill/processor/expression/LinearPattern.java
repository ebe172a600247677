package io.tidemill.processor.expression;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.tidemill.processor.option.OptionReader;

/// A regular expression with bounded work, for any pattern and any input (F50).
///
/// RE2's time per character is linear in the size of the pattern; this limits the size with all
/// repeats expanded, and the number of characters read.
public final class LinearPattern {
  private static final int LONGEST = 1_000;
  private static final int LARGEST = 2_000;
  private static final long MOST_READS = 64_000_000;
  private static final long MOST_WORK = 2_000_000_000;

  private final Pattern pattern;
  private final long mostReads;

  private LinearPattern(Pattern pattern, long size) {
    this.pattern = pattern;
    this.mostReads = Math.min(MOST_READS, MOST_WORK / Math.max(1, size));
  }

  /// More than allowed.
  public static final class TooMuch extends RuntimeException {
    TooMuch(String message) {
      super(message, null, false, false);
    }
  }

  /// @throws IllegalArgumentException that says what is wrong
  public static LinearPattern of(String regex) {
    return of(regex, 0);
  }

  /// @param flags those of [Pattern]
  static LinearPattern of(String regex, int flags) {
    if (regex.length() > LONGEST) {
      throw new IllegalArgumentException("the pattern is longer than " + LONGEST + " characters");
    }
    var size = PatternSize.of(regex);
    if (size > LARGEST) {
      throw new IllegalArgumentException(
          "'%s' is larger than %d with its repeats written out"
              .formatted(OptionReader.cut(regex), LARGEST));
    }
    try {
      return new LinearPattern(Pattern.compile(regex, flags), size);
    } catch (PatternSyntaxException wrong) {
      throw new IllegalArgumentException(
          "'%s' is not a pattern (RE2): %s"
              .formatted(OptionReader.cut(regex), wrong.getDescription()),
          wrong);
    }
  }

  /// Matches a text literally.
  static LinearPattern literal(String text) {
    return new LinearPattern(Pattern.compile(Pattern.quote(text)), 1);
  }

  /// The limit applies to all calls of one matcher together.
  Matcher matcher(String text) {
    return pattern.matcher(new LimitedText(text, mostReads));
  }

  public boolean isIn(String text) {
    return matcher(text).find();
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }

  /// A text that aborts a search which reads too much, or is interrupted.
  private static final class LimitedText implements CharSequence {
    private static final int CHECK_EVERY = 4_096;

    private final String text;
    private final long most;
    private long reads;

    LimitedText(String text, long most) {
      this.text = text;
      this.most = most;
    }

    @Override
    public char charAt(int index) {
      if (++reads % CHECK_EVERY == 0) checkLimits();
      return text.charAt(index);
    }

    private void checkLimits() {
      if (reads > most) throw new TooMuch("the pattern takes too long for this text");
      if (Thread.currentThread().isInterrupted()) throw new TooMuch("interrupted");
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.substring(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}

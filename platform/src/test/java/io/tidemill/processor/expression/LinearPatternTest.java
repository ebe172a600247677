package io.tidemill.processor.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearPatternTest {
  private static final String[] PIECES = {
    "a",
    "(",
    "(?:",
    ")",
    "[",
    "]",
    "[^]",
    "[[:alpha:]",
    "\\Q",
    "\\E",
    "\\(",
    "\\]",
    "\\x{41}",
    "{3}",
    "{2,4}",
    "{3,}",
    "{,5}",
    "{",
    "}",
    "*",
    "+?",
    "|",
    "(?i)",
    "(?i:",
    "(?P<n>",
    "^",
    "-"
  };

  @ParameterizedTest
  @ValueSource(
      strings = {
        "((((a{60}){60}){60}){60})",
        "(((a{0,30}){0,30}){0,30})b",
        "(?:(?:a{1,}){99,}){99,}",
        "([](](a{60})){60}",
        "(\\((a{60})\\)){60}",
        "([[:alpha:])]a{60}){60}",
        "(\\Q)\\Ea{60}){60}",
        "(a{60})(?i){60}",
        "(?i:(a{60})){60}",
        "(\\x{29}a{60}){60}",
      })
  void refusesRepeatsOfRepeats(String regex) { // F50
    assertThatThrownBy(() -> LinearPattern.of(regex))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("is larger than 2000 with its repeats written out");
  }

  @Test
  void refusesManyRepeatsInARow() { // F50
    assertThatThrownBy(() -> LinearPattern.of("a{0,999}".repeat(3) + "b"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LinearPattern.of("a".repeat(1_001)))
        .hasMessage("the pattern is longer than 1000 characters");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        "^(?:\\d{1,3}\\.){3}\\d{1,3}$",
        "^[\\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\\.){1,8}[a-z]{2,63}$",
        "^.{1,1000}$",
        "{}{,5}[{9}]",
      })
  void takesWhatPeopleWrite(String regex) {
    assertThat(LinearPattern.of(regex)).hasToString(regex);
  }

  @Test
  void noPatternIsLargerThanItsSizeSays() {
    qt().withExamples(10_000)
        .forAll(integers().all())
        .checkAssert(seed -> {
          var random = new Random(seed);
          var regex = new StringBuilder();
          var length = random.nextInt(4, 14);
          for (int i = 0; i < length; i++) regex.append(PIECES[random.nextInt(PIECES.length)]);
          var size = PatternSize.of(regex.toString());
          if (size > 2_000) return;
          assertThat(program(regex.toString())).isLessThanOrEqualTo(2 * size + 10);
        });
  }

  private static long program(String regex) {
    try {
      return Pattern.compile(regex).programSize();
    } catch (PatternSyntaxException refused) {
      return 0;
    }
  }

  @Test
  void noSearchReadsForEver() { // F50
    var many = LinearPattern.of("a.*b|a").matcher("a".repeat(300_000));

    assertThatThrownBy(
            () -> {
              while (many.find()) assertThat(many.end()).isPositive();
            })
        .isInstanceOf(LinearPattern.TooMuch.class)
        .hasMessage("the pattern takes too long for this text");
  }

  @Test
  void aSearchCanBeInterrupted() { // F50
    var pattern = LinearPattern.of("(((a{0,10}){0,10}){0,10})b");
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> pattern.isIn("a".repeat(100_000)))
          .isInstanceOf(LinearPattern.TooMuch.class)
          .hasMessage("interrupted");
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void findsALiteralAsItIs() {
    assertThat(LinearPattern.literal("a{2}(").isIn("xa{2}(y")).isTrue();
    assertThat(LinearPattern.literal("a.c").isIn("abc")).isFalse();
  }
}

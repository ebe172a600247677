package io.tidemill.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.strings;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {
  private static final String VALID = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @Test
  void readsAndWritesTheHeader() {
    var parsed = TraceParent.parse(VALID).orElseThrow();

    assertThat(parsed.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
    assertThat(parsed.spanId()).isEqualTo("00f067aa0ba902b7");
    assertThat(parsed.sampled()).isTrue();
    assertThat(parsed).hasToString(VALID);
  }

  @Test
  void readsOnlyTheFirstFlagAndWhatLaterVersionsAdd() {
    assertThat(TraceParent.parse(VALID.replace("-01", "-ff")).orElseThrow().sampled()).isTrue();
    assertThat(TraceParent.parse(VALID.replace("-01", "-02")).orElseThrow().sampled()).isFalse();
    assertThat(TraceParent.parse("cc" + VALID.substring(2) + "-more")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
        "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01more",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
        " 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n"
      })
  void refusesWhatTheStandardCallsInvalid(String header) {
    assertThat(TraceParent.parse(header)).isEmpty();
  }

  @Test
  void hasNoAnswerToNothing() {
    assertThat(TraceParent.parse(null)).isEmpty();
  }

  @Test
  void anyTextHasAnAnswer() {
    qt().forAll(strings().allPossible().ofLengthBetween(0, 80))
        .check(text -> TraceParent.parse(text).map(TraceParent::traceId).orElse("").length() <= 32);
  }

  @Test
  void oneWrongCharacterIsNeverReadAsSomethingElse() {
    qt().forAll(integers().between(0, VALID.length() - 1), integers().between(0, 0x2ff))
        .check((at, character) -> {
          var changed = new StringBuilder(VALID);
          changed.setCharAt(at, (char) character.intValue());
          var parsed = TraceParent.parse(changed.toString());
          return parsed.isEmpty() || changed.toString().contains(parsed.get().traceId());
        });
  }

  @Test
  void whatIsWrittenReadsBack() {
    qt().forAll(integers().all())
        .check(_ -> {
          var random = TraceParent.random();
          return TraceParent.parse(random.toString()).equals(java.util.Optional.of(random));
        });
  }

  @Test
  void aChildStaysInTheTrace() {
    var parent = TraceParent.random();

    for (var child : List.of(parent.child(), parent.child().child())) {
      assertThat(child.traceId()).isEqualTo(parent.traceId());
      assertThat(child.spanId()).isNotEqualTo(parent.spanId());
    }
  }
}

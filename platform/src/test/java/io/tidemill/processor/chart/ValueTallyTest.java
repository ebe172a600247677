package io.tidemill.processor.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValueTallyTest {
  private final ValueTally.Room room = new ValueTally.Room(3);
  private final ValueTally one = new ValueTally(room);
  private final ValueTally other = new ValueTally(room);

  @Test
  void valuesOfAllTalliesShareTheirRoom() {
    one.add("a");
    one.add("b");
    other.add("a");
    other.add("c");
    other.add("a");

    assertThat(one.all()).containsExactly(new ChartPoint("a", 1), new ChartPoint("b", 1));
    assertThat(one.isComplete()).isTrue();
    assertThat(other.all()).containsExactly(new ChartPoint("a", 2));
    assertThat(other.beyond()).isEqualTo(1);
    assertThat(other.isComplete()).isFalse();
  }

  @Test
  void whatATallyForgetsIsRoomForOthers() {
    for (var value : new String[] {"a", "b", "c"}) one.add(value);

    one.forget();
    for (var value : new String[] {"d", "e", "f"}) other.add(value);

    assertThat(one.all()).isEmpty();
    assertThat(other.all()).hasSize(3);
    assertThat(other.isComplete()).isTrue();
  }

  @Test
  void amountsThatAmountToNothingAreBeyondToo() {
    var full = new ValueTally(new ValueTally.Room(0));

    full.add("a", 1);
    full.add("b", -1);

    assertThat(full.beyond()).isZero();
    assertThat(full.isComplete()).isFalse();
  }
}

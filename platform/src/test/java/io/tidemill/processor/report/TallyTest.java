package io.tidemill.processor.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTest {
  private final Tally.Room room = new Tally.Room(3);
  private final Tally one = new Tally(room);
  private final Tally other = new Tally(room);

  @Test
  void valuesOfAllTalliesShareTheirRoom() {
    one.add("a");
    one.add("b");
    other.add("a");
    other.add("c");
    other.add("a");

    assertThat(one.all()).containsExactly(new Point("a", 1), new Point("b", 1));
    assertThat(one.isComplete()).isTrue();
    assertThat(other.all()).containsExactly(new Point("a", 2));
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
    var full = new Tally(new Tally.Room(0));

    full.add("a", 1);
    full.add("b", -1);

    assertThat(full.beyond()).isZero();
    assertThat(full.isComplete()).isFalse();
  }
}

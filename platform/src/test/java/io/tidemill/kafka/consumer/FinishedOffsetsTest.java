package io.tidemill.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.longs;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Only what is finished without a gap is committed (F02), and what is finished beyond is told to
/// the next owner.
class FinishedOffsetsTest {
  @Test
  void commitsNothingBeforeItKnowsWhereItIs() {
    assertThat(new FinishedOffsets(CommitMetadata.from(-1)).committable()).isEqualTo(-1);
  }

  @Test
  void oneUnfinishedRecordHoldsTheCommitBack() {
    var offsets = taken(10, 11, 12);

    offsets.finish(11);
    offsets.finish(12);
    assertThat(offsets.committable()).isEqualTo(10);

    offsets.finish(10);
    assertThat(offsets.committable()).isEqualTo(13);
  }

  @Test
  void offsetsThatNeverComeAreNoGap() {
    var offsets = taken(10, 17);
    offsets.reached(20); // 18 and 19 end a transaction

    offsets.finish(10);
    assertThat(offsets.committable()).isEqualTo(17);
    offsets.finish(17);
    assertThat(offsets.committable()).isEqualTo(20);
  }

  @Test
  void holdsNoMoreThanWhatIsInHand() {
    var offsets = taken(0);
    for (long offset = 1; offset < 1_000_000; offset++) {
      offsets.take(offset);
      offsets.finish(offset);
    }

    assertThat(offsets.size()).isEqualTo(1);
    assertThat(offsets.committable()).isZero();
  }

  @Test
  void theNextOwnerRunsExactlyWhatWasNotFinished() {
    qt().withExamples(300)
        .forAll(longs().all(), integers().between(1, 400), integers().between(0, 100))
        .check((seed, count, percent) -> {
          var random = new Random(seed);
          var offsets = new FinishedOffsets(CommitMetadata.from(1_000));
          var model = new TreeSet<Long>();
          var all = gappyOffsets(random, count);
          for (var offset : all) {
            offsets.take(offset);
            model.add(offset);
            if (random.nextInt(100) < percent) finishAny(random, offsets, model);
          }
          return agrees(offsets, model, all);
        });
  }

  private static List<Long> gappyOffsets(Random random, int count) {
    var all = new ArrayList<Long>();
    for (long offset = 1_000; all.size() < count; offset += 1 + random.nextInt(3) / 2) {
      all.add(offset);
    }
    return all;
  }

  private static void finishAny(Random random, FinishedOffsets offsets, SortedSet<Long> model) {
    var any = List.copyOf(model).get(random.nextInt(model.size()));
    offsets.finish(any);
    model.remove(any);
  }

  private static boolean agrees(FinishedOffsets offsets, SortedSet<Long> model, List<Long> all) {
    var lowest = model.isEmpty() ? all.getLast() + 1 : model.getFirst();
    var told = CommitMetadata.decode(offsets.committable(), offsets.progress().text());
    var again = all.stream().filter(o -> o >= lowest && !told.isFinished(o)).toList();
    return offsets.committable() == lowest && again.equals(List.copyOf(model));
  }

  @Test
  void whatAnEarlierOwnerFinishedIsPassedOnByOneThatNeverGotThere() {
    var before = new CommitMetadata(10, 20, List.of(10L, 15L));
    var offsets = new FinishedOffsets(before);
    offsets.take(10);

    var told = CommitMetadata.decode(offsets.committable(), offsets.progress().text());

    assertThat(told).isEqualTo(before);
  }

  private static FinishedOffsets taken(long... taken) {
    var offsets = new FinishedOffsets(CommitMetadata.from(-1));
    for (var offset : taken) offsets.take(offset);
    return offsets;
  }
}

package io.tidemill.kafka.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.strings;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommitMetadataTest {
  @Test
  void saysNothingWhenTheCommitSaysItAll() {
    assertThat(CommitMetadata.from(42).text()).isEmpty();
  }

  @Test
  void comesBackAsItWas() {
    var progress =
        new CommitMetadata(5_000_000_000L, 5_000_300_000L, List.of(5_000_000_000L, 5_000_299_999L));

    assertThat(CommitMetadata.decode(5_000_000_000L, progress.text())).isEqualTo(progress);
  }

  @Test
  void leavesOutTheEndWhenThereIsNoRoom() {
    var open = LongStream.range(0, 10_000).map(i -> i * 300).boxed().toList();
    var text = new CommitMetadata(0, 3_000_000, open).text();

    var told = CommitMetadata.decode(0, text);

    assertThat(text).hasSizeLessThan(4_096);
    assertThat(told.to()).isLessThan(3_000_000).isGreaterThan(300_000);
    assertThat(open).noneMatch(told::isFinished);
    assertThat(told.isFinished(301)).isTrue();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {"", "tidemill1:", "tidemill1:!", "tidemill1:gICAgICAgICAgIA", "tidemill1:AQUF"})
  void whatOthersWroteSaysNothing(String text) {
    assertThat(CommitMetadata.decode(7, text)).isEqualTo(CommitMetadata.from(7));
  }

  @Test
  void noTextMakesItSayWhatCanNotBe() {
    qt().forAll(strings().allPossible().ofLengthBetween(0, 60))
        .check(text -> {
          var told = CommitMetadata.decode(7, "tidemill1:" + text);
          return !told.isFinished(6) && told.to() >= 7;
        });
  }
}

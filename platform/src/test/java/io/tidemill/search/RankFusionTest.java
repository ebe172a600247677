package io.tidemill.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.search.RankFusion.Ranked;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RankFusionTest {
  private static List<Integer> order(
      List<Integer> words, List<Integer> meanings, Set<Integer> waiting) {
    return RankFusion.of(words, meanings, waiting).stream().map(Ranked::doc).toList();
  }

  @Test
  void aPageInBothListsIsBeforeThoseInOne() {
    assertThat(order(List.of(1, 2, 3), List.of(4, 3), Set.of())).startsWith(3);
  }

  @Test
  void missingVectorsCountNeitherForNorAgainstAPage() {
    var words = List.of(1, 2, 3);

    assertThat(order(words, List.of(2, 3), Set.of())).containsExactly(2, 3, 1);
    assertThat(order(words, List.of(2, 3), Set.of(1))).containsExactly(1, 2, 3);
    assertThat(order(words, List.of(1, 2), Set.of(3))).containsExactly(1, 2, 3);
  }

  @Test
  void theOrderIsThatOfTheWordsAsLongAsNoPageHasVectors() {
    assertThat(order(List.of(3, 1, 2), List.of(), Set.of(1, 2, 3))).containsExactly(3, 1, 2);
  }

  @Test
  void olderVectorsOfAPageCountUntilItHasNewOnes() {
    var page = RankFusion.of(List.of(1), List.of(1), Set.of(1)).getFirst();

    assertThat(page).isEqualTo(new Ranked(1, 1, 1, false));
  }
}

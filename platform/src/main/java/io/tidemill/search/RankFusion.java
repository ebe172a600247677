package io.tidemill.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// Reciprocal rank fusion of hits by words and by vectors, whose scores can't be compared.
public final class RankFusion {
  /// The constant k of the formula 1 / (k + rank); chosen by `RelevanceTest`.
  private static final double K = 20;

  private RankFusion() {}

  /// Fuses two lists.
  ///
  /// @param words pages by their words, the best first
  /// @param meanings pages by their meaning, the best first
  public static List<Ranked> of(List<Integer> words, List<Integer> meanings) {
    var all = new LinkedHashMap<Integer, Ranked>();
    for (int i = 0; i < words.size(); i++) {
      all.put(words.get(i), new Ranked(words.get(i), i + 1, 0));
    }
    for (int i = 0; i < meanings.size(); i++) {
      var rank = i + 1;
      all.merge(
          meanings.get(i),
          new Ranked(meanings.get(i), 0, rank),
          (known, _) -> new Ranked(known.doc(), known.byWords(), rank));
    }
    var ranked = new ArrayList<>(all.values());
    // A stable sort: of equal scores the better one by words comes first.
    ranked.sort(Comparator.comparingDouble(Ranked::score).reversed());
    return ranked;
  }

  /// A page and its ranks.
  ///
  /// @param byWords 1 = the best; 0 = not among the best
  /// @param byMeaning 1 = the best; 0 = not among the best
  public record Ranked(int doc, int byWords, int byMeaning) {
    public double score() {
      return part(byWords) + part(byMeaning);
    }

    private static double part(int rank) {
      return rank == 0 ? 0 : 1 / (K + rank);
    }
  }
}

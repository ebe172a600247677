package io.tidemill.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;

/// Reciprocal rank fusion of hits by words and by vectors, whose scores can't be compared.
///
/// The best pages by meaning are known only among those that have vectors. A page that waits for
/// its vectors keeps its rank by words in both lists: the missing evidence counts neither for nor
/// against it, and as long as no page has vectors the order is that of the words.
public final class RankFusion {
  /// The constant k of the formula 1 / (k + rank); chosen by `RelevanceTest`.
  private static final double K = 20;

  private RankFusion() {}

  /// Fuses two lists.
  ///
  /// @param words pages by their words, the best first
  /// @param meanings pages by their meaning, the best first
  /// @param waiting pages that have no vectors yet
  public static List<Ranked> of(List<Integer> words, List<Integer> meanings, Set<Integer> waiting) {
    var all = new LinkedHashMap<Integer, Ranked>();
    for (int i = 0; i < words.size(); i++) {
      var doc = words.get(i);
      all.put(doc, new Ranked(doc, i + 1, 0, waiting.contains(doc)));
    }
    for (int i = 0; i < meanings.size(); i++) {
      var rank = i + 1;
      all.merge(
          meanings.get(i),
          new Ranked(meanings.get(i), 0, rank, false),
          (known, _) -> new Ranked(known.doc(), known.byWords(), rank, false));
    }
    var ranked = new ArrayList<>(all.values());
    // A stable sort: of equal scores the better one by words comes first.
    ranked.sort(Comparator.comparingDouble(Ranked::score).reversed());
    return ranked;
  }

  /// A page and its ranks.
  ///
  /// @param byWords 1 = the best; 0 = not among the best
  /// @param byMeaning 1 = the best; 0 = not among the best, or waiting
  /// @param waiting whether its meaning is not known yet
  public record Ranked(int doc, int byWords, int byMeaning, boolean waiting) {
    public double score() {
      return part(byWords) + part(waiting ? byWords : byMeaning);
    }

    private static double part(int rank) {
      return rank == 0 ? 0 : 1 / (K + rank);
    }
  }
}

package io.tidemill.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// Makes one list of two by the places that a page has in each (reciprocal rank fusion): scores of
/// words and of meanings can't be compared, places can.
public final class RankFusion {
  /// How much the first places count more than the next; chosen by `RelevanceTest`.
  private static final double EVEN = 20;

  private RankFusion() {}

  /// The best of both.
  ///
  /// @param words pages by their words, the best first
  /// @param meanings pages by their meaning, the best first
  public static List<Ranked> of(List<Integer> words, List<Integer> meanings) {
    var all = new LinkedHashMap<Integer, Ranked>();
    for (int i = 0; i < words.size(); i++) {
      all.put(words.get(i), new Ranked(words.get(i), i + 1, 0));
    }
    for (int i = 0; i < meanings.size(); i++) {
      var place = i + 1;
      all.merge(
          meanings.get(i),
          new Ranked(meanings.get(i), 0, place),
          (known, _) -> new Ranked(known.doc(), known.byWords(), place));
    }
    var ranked = new ArrayList<>(all.values());
    // Stable: of equals the one with the better words comes first.
    ranked.sort(Comparator.comparingDouble(Ranked::score).reversed());
    return ranked;
  }

  /// A page and its places.
  ///
  /// @param byWords 1 = the best; 0 = not among the best
  /// @param byMeaning 1 = the best; 0 = not among the best
  public record Ranked(int doc, int byWords, int byMeaning) {
    public double score() {
      return part(byWords) + part(byMeaning);
    }

    private static double part(int place) {
      return place == 0 ? 0 : 1 / (EVEN + place);
    }
  }
}

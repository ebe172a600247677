package io.tidemill.json;

import java.util.Collection;
import java.util.Optional;

/// Finds the known name that a misspelled one stands for.
public final class NearestName {
  private NearestName() {}

  /// The closest name, if at most this many letters were changed, added, left out or swapped.
  public static Optional<String> of(String typed, Collection<String> names, int most) {
    var limit = most;
    var nearest = Optional.<String>empty();
    for (var name : names) {
      if (Math.abs(typed.length() - name.length()) > limit) continue;
      var distance = distance(typed, name);
      if (distance > limit) continue;
      limit = distance - 1;
      nearest = Optional.of(name);
    }
    return nearest;
  }

  /// How many mistakes a suggestion may assume: more in longer names.
  public static int tolerance(String typed) {
    return Math.max(2, typed.length() / 4);
  }

  /// Damerau's distance: two neighbours that changed places are one mistake.
  static int distance(String from, String to) {
    var before = new int[to.length() + 1];
    var above = new int[to.length() + 1];
    for (int j = 0; j < above.length; j++) above[j] = j;
    for (int i = 1; i <= from.length(); i++) {
      var row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        row[j] = Math.min(above[j - 1] + cost(from, i, to, j), 1 + Math.min(above[j], row[j - 1]));
        if (isSwapped(from, i, to, j)) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
      before = above;
      above = row;
    }
    return above[to.length()];
  }

  private static int cost(String from, int i, String to, int j) {
    return from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
  }

  private static boolean isSwapped(String from, int i, String to, int j) {
    return i > 1 && j > 1 && cost(from, i, to, j - 1) == 0 && cost(from, i - 1, to, j) == 0;
  }
}

package io.tidemill.config;

import java.util.Collection;

/// Finds what somebody most likely meant to type.
final class NearestMatch {
  private NearestMatch() {}

  /// `: did you mean X`, or nothing when no name is close.
  static String hint(String typed, Collection<String> names) {
    var limit = Math.max(2, typed.length() / 4);
    String nearest = "";
    for (var name : names) {
      var distance = distance(typed, name);
      if (distance <= limit) {
        limit = distance - 1;
        nearest = name;
      }
    }
    return nearest.isEmpty() ? "" : ": did you mean " + nearest;
  }

  /// Levenshtein's distance, one row at a time.
  static int distance(String from, String to) {
    var row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) row[j] = j;
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int substituted = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[to.length()];
  }
}

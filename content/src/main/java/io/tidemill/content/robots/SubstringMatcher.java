package io.tidemill.content.robots;

/// A text to look for, in time linear in the place (Knuth, Morris, Pratt) when it is long.
///
/// @param borders for every prefix, how much of its end is its beginning again; empty when short
@SuppressWarnings("ArrayRecordComponent") // never compared
record SubstringMatcher(String text, int[] borders) {
  private static final int SHORT = 24;

  static SubstringMatcher of(String text) {
    return new SubstringMatcher(text, text.length() <= SHORT ? new int[0] : borders(text));
  }

  private static int[] borders(String text) {
    var borders = new int[text.length()];
    for (int i = 1, border = 0; i < text.length(); i++) {
      while (border > 0 && text.charAt(i) != text.charAt(border)) border = borders[border - 1];
      if (text.charAt(i) == text.charAt(border)) border++;
      borders[i] = border;
    }
    return borders;
  }

  int find(String place, int from) {
    if (borders.length == 0) return place.indexOf(text, from);
    for (int i = from, seen = 0; i < place.length(); i++) {
      while (seen > 0 && place.charAt(i) != text.charAt(seen)) seen = borders[seen - 1];
      if (place.charAt(i) == text.charAt(seen)) seen++;
      if (seen == text.length()) return i - seen + 1;
    }
    return -1;
  }
}

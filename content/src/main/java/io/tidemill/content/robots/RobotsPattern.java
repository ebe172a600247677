package io.tidemill.content.robots;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/// A path with `*` for anything and `$` for the end; matches in time linear in the path, whatever
/// the pattern (F51).
///
/// @param start what the path has to begin with
/// @param starred whether there is a `*`
/// @param middle what has to follow, in this order
/// @param end what it has to end with behind all that
/// @param anchored whether there is a `$`
record RobotsPattern(
    String start, boolean starred, List<SubstringMatcher> middle, String end, boolean anchored) {

  static RobotsPattern of(String pattern) {
    boolean anchored = pattern.endsWith("$");
    var text = anchored ? pattern.substring(0, pattern.length() - 1) : pattern;
    int star = text.indexOf('*');
    if (star < 0) return new RobotsPattern(text, false, List.of(), "", anchored);
    int last = anchored ? text.lastIndexOf('*') + 1 : text.length();
    return new RobotsPattern(
        text.substring(0, star),
        true,
        needles(text.substring(star, last)),
        text.substring(last),
        anchored);
  }

  /// Spells what stands between the special characters of a rule: every `*`, and a `$` at its end.
  static String spell(String rule, UnaryOperator<String> spelling) {
    boolean anchored = rule.endsWith("$");
    var text = anchored ? rule.substring(0, rule.length() - 1) : rule;
    var out = new StringBuilder(rule.length() + 16);
    for (int from = 0; from <= text.length(); ) {
      int star = text.indexOf('*', from);
      int to = star < 0 ? text.length() : star;
      out.append(spelling.apply(text.substring(from, to)));
      if (star >= 0) out.append('*');
      from = to + 1;
    }
    return anchored ? out.append('$').toString() : out.toString();
  }

  private static List<SubstringMatcher> needles(String text) {
    var needles = new ArrayList<SubstringMatcher>();
    for (int from = 0; from < text.length(); ) {
      int star = text.indexOf('*', from);
      int to = star < 0 ? text.length() : star;
      if (to > from) needles.add(SubstringMatcher.of(text.substring(from, to)));
      from = to + 1;
    }
    return List.copyOf(needles);
  }

  boolean matches(String path) {
    if (!path.startsWith(start)) return false;
    if (!starred) return !anchored || path.length() == start.length();
    int at = start.length();
    for (var needle : middle) { // the first place is as good as any: a star takes what is left
      int found = needle.find(path, at);
      if (found < 0) return false;
      at = found + needle.text().length();
    }
    return path.length() - at >= end.length() && path.endsWith(end);
  }
}

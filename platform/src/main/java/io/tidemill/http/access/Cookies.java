package io.tidemill.http.access;

import java.util.ArrayList;
import java.util.List;

/// Parses the `Cookie` header leniently: whatever is no cookie is skipped.
final class Cookies {
  /// Browsers send one for each path and domain that set it.
  static final int MOST = 4;

  private Cookies() {}

  /// The first [#MOST] values of the cookies of this name.
  static List<String> values(String header, String name) {
    var values = new ArrayList<String>();
    var start = 0;
    while (start < header.length() && values.size() < MOST) {
      var semicolon = header.indexOf(';', start);
      var end = semicolon < 0 ? header.length() : semicolon;
      var equals = header.indexOf('=', start);
      if (equals >= 0 && equals < end && trimmed(header, start, equals).equals(name)) {
        values.add(trimmed(header, equals + 1, end));
      }
      start = end + 1;
    }
    return values;
  }

  private static String trimmed(String text, int start, int end) {
    var from = start;
    var to = end;
    while (from < to && isBlank(text.charAt(from))) from++;
    while (from < to && isBlank(text.charAt(to - 1))) to--;
    return text.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}

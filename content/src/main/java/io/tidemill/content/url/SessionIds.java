package io.tidemill.content.url;

import java.util.Set;

/// Knows the session ids that servers write into URLs: one page, a new name for every visitor.
public final class SessionIds {
  private static final Set<String> NAMES =
      Set.of(
          "jsessionid", "phpsessid", "aspsessionid", "sessionid", "session_id", "cftoken", "cfid");
  private static final Set<String> SHORT_NAMES = Set.of("sid", "s", "zenid", "oscsid", "sess");
  private static final String IN_PATH = ";jsessionid=";

  private SessionIds() {}

  /// Whether a query parameter carries a session id.
  ///
  /// @param name in lower case
  public static boolean isParameter(String name, String value) {
    if (NAMES.contains(name) || name.startsWith("aspsessionid")) return true;
    return SHORT_NAMES.contains(name) && looksRandom(value);
  }

  /// A long hexadecimal number; a name as short as `s` has other uses too.
  private static boolean looksRandom(String value) {
    if (value.length() < 26) return false;
    for (int i = 0; i < value.length(); i++) {
      if (Character.digit(value.charAt(i), 36) < 0) return false;
    }
    return value.chars().anyMatch(c -> c >= '0' && c <= '9');
  }

  /// Where the next `;jsessionid=` begins, -1 without one that can be taken out.
  static int inPath(String path, int from) {
    for (int at = path.indexOf(';', from); at >= 0; at = path.indexOf(';', at + 1)) {
      if (path.regionMatches(true, at, IN_PATH, 0, IN_PATH.length()) && !leavesDots(path, at)) {
        return at;
      }
    }
    return -1;
  }

  /// Without its session id, `/..;jsessionid=1` would turn into another path.
  private static boolean leavesDots(String path, int end) {
    return PathWriter.dots(path, path.lastIndexOf('/', end) + 1, end) > 0;
  }
}

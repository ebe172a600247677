package io.tidemill.content.url;

/// Writes a path without dot segments and backslashes, behind the folder it starts from.
final class PathWriter {
  private PathWriter() {}

  /// The path at `from..to` of a text.
  ///
  /// @param folder the folder it is relative to, without its last slash; empty for the root
  static String write(String folder, String in, int from, int to) {
    int start = from < to && UrlParser.isSlash(in.charAt(from)) ? from + 1 : from;
    if (!isPlain(in, start, to)) return segments(folder, in, start, to);
    if (folder.isEmpty() && start > from && in.charAt(from) == '/') return in.substring(from, to);
    return folder + "/" + in.substring(start, to);
  }

  /// Whether nothing has to be escaped, no slash turned, and no segment could be `.` or `..`.
  private static boolean isPlain(String in, int from, int to) {
    char before = '/';
    for (int i = from; i < to; i++) {
      char c = in.charAt(i);
      if (c == '\\' || EscapeSet.PATH.holds(c)) return false;
      if (before == '/' && (c == '.' || c == '%')) return false;
      before = c;
    }
    return true;
  }

  private static String segments(String folder, String in, int from, int to) {
    var out = new StringBuilder(folder.length() + to - from + 16).append(folder);
    for (int start = from; start <= to; ) {
      int end = start;
      while (end < to && !UrlParser.isSlash(in.charAt(end))) end++;
      int dots = dots(in, start, end);
      if (dots == 2) out.setLength(Math.max(0, out.lastIndexOf("/")));
      if (dots == 0 || end == to) out.append('/');
      if (dots == 0) EscapeSet.PATH.append(out, in, start, end);
      start = end + 1;
    }
    return out.toString();
  }

  /// 1 or 2 when the segment is nothing but so many dots, which may be written as `%2e`.
  static int dots(String in, int from, int to) {
    int dots = 0;
    for (int i = from; i < to; dots++) {
      if (dots == 2) return 0;
      if (in.charAt(i) == '.') i++;
      else if (to - i >= 3 && in.regionMatches(true, i, "%2e", 0, 3)) i += 3;
      else return 0;
    }
    return dots;
  }
}

package io.tidemill.content.robots;

/// Brings paths of rules and of URLs into one spelling (RFC 9309, 2.2.2): what a URL can't hold is
/// escaped, what needs no escape is a character, hex digits are upper case.
///
/// `*` and `$` are escapes in every path, so that they are special only where a rule wrote the
/// character itself (2.2.3). `/ ? # & = + %` and their escapes stay apart: they mean something else
/// in a URL.
final class PathEscapes {
  private static final String HEX = "0123456789ABCDEF";
  // Beside letters and digits.
  private static final String UNRESERVED = "-._~";
  // Reserved by RFC 3986, but as characters and as escapes the same to a server.
  private static final String RESERVED = ":[]@!'(),;";
  private static final String NEVER_PLAIN = " \"<>\\^`{|}*$\u007F";

  private PathEscapes() {}

  /// A robots.txt is read as bytes, one per character: the upper half becomes escapes.
  static String asciiOnly(String bytes) {
    int first = 0;
    while (first < bytes.length() && bytes.charAt(first) < 0x80) first++;
    if (first == bytes.length()) return bytes;
    var out = new StringBuilder(bytes.length() + 32).append(bytes, 0, first);
    for (int i = first; i < bytes.length(); i++) {
      char c = bytes.charAt(i);
      if (c < 0x80) out.append(c);
      else append(out, c);
    }
    return out.toString();
  }

  /// `%c3` becomes `%C3`.
  static String upperEscapes(String path) {
    if (path.indexOf('%') < 0) return path;
    var out = new StringBuilder(path);
    for (int i = 0; i < out.length(); i++) {
      if (escaped(path, i) < 0) continue;
      out.setCharAt(i + 1, HEX.charAt(Character.digit(path.charAt(i + 1), 16)));
      out.setCharAt(i + 2, HEX.charAt(Character.digit(path.charAt(i + 2), 16)));
    }
    return out.toString();
  }

  /// The path of a URL, or of a rule between its special characters.
  static String canonical(String path) {
    if (isCanonical(path)) return path;
    var out = new StringBuilder(path.length() + 16);
    for (int i = 0; i < path.length(); i++) {
      int value = escaped(path, i);
      if (value >= 0) {
        if (isUnreserved(value) || RESERVED.indexOf(value) >= 0) out.append((char) value);
        else append(out, value);
        i += 2;
      } else if (isNeverPlain(path.charAt(i))) append(out, path.charAt(i));
      else out.append(path.charAt(i));
    }
    return out.toString();
  }

  private static boolean isCanonical(String path) {
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '%' || isNeverPlain(c)) return false;
    }
    return true;
  }

  /// The same with unreserved escapes as they are written.
  static String written(String path) {
    var out = new StringBuilder(path.length() + 16);
    int start = 0;
    for (int i = 0; i < path.length(); i++) {
      int value = escaped(path, i);
      if (value < 0 || !isUnreserved(value)) continue;
      out.append(canonical(path.substring(start, i)));
      append(out, value);
      i += 2;
      start = i + 1;
    }
    return start == 0 ? canonical(path) : out.append(canonical(path.substring(start))).toString();
  }

  /// Within a query a slash or a question mark and its escape are the same: `?u=http%3A%2F%2Fa`.
  static String plainQuery(String canonical) {
    int query = canonical.indexOf('?');
    if (query < 0) return canonical;
    var text = canonical.substring(query).replace("%2F", "/").replace("%3F", "?");
    return canonical.substring(0, query) + text;
  }

  private static void append(StringBuilder out, int value) {
    out.append('%').append(HEX.charAt(value >> 4 & 15)).append(HEX.charAt(value & 15));
  }

  /// The byte of an escape that starts here; -1 without one.
  private static int escaped(String path, int at) {
    if (path.charAt(at) != '%' || at + 2 >= path.length()) return -1;
    int high = digit(path.charAt(at + 1));
    int low = digit(path.charAt(at + 2));
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  private static int digit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  private static boolean isNeverPlain(char c) {
    return c < ' ' || NEVER_PLAIN.indexOf(c) >= 0;
  }

  private static boolean isUnreserved(int c) {
    return (c >= '0' && c <= '9')
        || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z' && c < 0x80)
        || UNRESERVED.indexOf(c) >= 0;
  }
}

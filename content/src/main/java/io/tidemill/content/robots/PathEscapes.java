package io.tidemill.content.robots;

/// Brings percent escapes of paths into one spelling.
final class PathEscapes {
  private static final String HEX = "0123456789ABCDEF";

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
      else out.append('%').append(HEX.charAt(c >> 4 & 15)).append(HEX.charAt(c & 15));
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

  /// Escapes of unreserved characters become the characters (RFC 9309, 2.2.2).
  static String plain(String path) {
    if (path.indexOf('%') < 0) return path;
    var out = new StringBuilder(path.length());
    for (int i = 0; i < path.length(); i++) {
      int value = escaped(path, i);
      boolean decode = value >= 0 && isUnreserved(value);
      out.append(decode ? (char) value : path.charAt(i));
      if (decode) i += 2;
    }
    return out.toString();
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

  private static boolean isUnreserved(int c) {
    return (c >= '0' && c <= '9')
        || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z' && c < 0x80)
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }
}

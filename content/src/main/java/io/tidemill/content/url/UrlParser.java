package io.tidemill.content.url;

import org.jspecify.annotations.Nullable;

/// The WHATWG URL parser, cut down to `http` and `https`.
///
/// The standard's states became methods; a plain ASCII URL takes its parts as substrings.
final class UrlParser {
  private static final int LARGEST_PORT = 65_535;

  private final String in;
  private final @Nullable WebUrl base;

  private UrlParser(String in, @Nullable WebUrl base) {
    this.in = in;
    this.base = base;
  }

  static @Nullable WebUrl parse(String text, @Nullable WebUrl base) {
    return new UrlParser(clean(text), base).url();
  }

  /// The standard's first step: no spaces or controls around, no tabs or line ends anywhere.
  private static String clean(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && text.charAt(from) <= ' ') from++;
    while (to > from && text.charAt(to - 1) <= ' ') to--;
    for (int i = from; i < to; i++) {
      if (isTabOrLineEnd(text.charAt(i))) return withoutTabs(text, from, to);
    }
    return text.substring(from, to);
  }

  private static String withoutTabs(String text, int from, int to) {
    var out = new StringBuilder(to - from);
    for (int i = from; i < to; i++) {
      if (!isTabOrLineEnd(text.charAt(i))) out.append(text.charAt(i));
    }
    return out.toString();
  }

  private static boolean isTabOrLineEnd(char c) {
    return c == '\t' || c == '\n' || c == '\r';
  }

  private @Nullable WebUrl url() {
    int colon = schemeEnd();
    if (colon < 0) return base == null ? null : relative(base, 0);
    var scheme = webScheme(colon);
    if (scheme == null) return null;
    if (base != null && scheme.equals(base.scheme()) && !in.startsWith("//", colon + 1)) {
      return relative(base, colon + 1);
    }
    return authority(scheme, colon + 1);
  }

  /// Where the colon behind a scheme is; -1 when the text does not start with one.
  private int schemeEnd() {
    for (int i = 0; i < in.length(); i++) {
      char c = in.charAt(i);
      if (c == ':') return i == 0 ? -1 : i;
      boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
      boolean later = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (!letter && (i == 0 || !later)) return -1;
    }
    return -1;
  }

  private @Nullable String webScheme(int colon) {
    if (colon == 5 && in.regionMatches(true, 0, "https", 0, 5)) return "https";
    if (colon == 4 && in.regionMatches(true, 0, "http", 0, 4)) return "http";
    return null;
  }

  private @Nullable WebUrl relative(WebUrl page, int from) {
    if (from == in.length()) return page.withoutFragment();
    char first = in.charAt(from);
    if (isSlash(first)) {
      if (from + 1 < in.length() && isSlash(in.charAt(from + 1))) {
        return authority(page.scheme(), from);
      }
      return rest(page.scheme(), page.host(), page.port(), "", from);
    }
    if (first == '#') {
      return new WebUrl(
          page.scheme(), page.host(), page.port(), page.path(), page.query(), fragment(from));
    }
    if (first == '?') return withQuery(page, from);
    var folder = page.path().substring(0, page.path().lastIndexOf('/'));
    return rest(page.scheme(), page.host(), page.port(), folder, from);
  }

  private WebUrl withQuery(WebUrl page, int from) {
    int hash = hash(from);
    var query = EscapeSet.QUERY.escape(in, from + 1, hash);
    return new WebUrl(page.scheme(), page.host(), page.port(), page.path(), query, fragment(hash));
  }

  private @Nullable WebUrl authority(String scheme, int from) {
    int start = from;
    while (start < in.length() && isSlash(in.charAt(start))) start++;
    int end = start;
    int hostStart = start;
    int colon = -1;
    boolean bracket = false;
    for (; end < in.length(); end++) {
      char c = in.charAt(end);
      if (isSlash(c) || c == '?' || c == '#') break;
      if (c == '@') { // all before the last one is a name and a password
        hostStart = end + 1;
        colon = -1;
        bracket = false;
      } else if (c == '[') {
        bracket = true;
      } else if (c == ']') {
        bracket = false;
      } else if (c == ':' && !bracket && colon < 0) {
        colon = end;
      }
    }
    var host = host(hostStart, colon < 0 ? end : colon);
    if (host == null) return null;
    int port = colon < 0 ? -1 : port(scheme, colon + 1, end);
    return port < -1 ? null : rest(scheme, host, port, "", end);
  }

  private @Nullable String host(int from, int to) {
    if (base != null
        && to - from == base.host().length()
        && in.startsWith(base.host(), from)) { // most links stay on their site
      return base.host();
    }
    return HostParser.parse(in, from, to);
  }

  /// The port; -1 for none or the scheme's own, -2 when it is no port.
  private int port(String scheme, int from, int to) {
    if (from == to) return -1;
    int port = 0;
    for (int i = from; i < to; i++) {
      int digit = in.charAt(i) - '0';
      if (digit < 0 || digit > 9) return -2;
      port = port * 10 + digit;
      if (port > LARGEST_PORT) return -2;
    }
    return port == (scheme.equals("https") ? 443 : 80) ? -1 : port;
  }

  private WebUrl rest(String scheme, String host, int port, String folder, int from) {
    int end = from;
    while (end < in.length() && in.charAt(end) != '?' && in.charAt(end) != '#') end++;
    int hash = hash(end);
    var path = PathWriter.write(folder, in, from, end);
    var query = end < hash ? EscapeSet.QUERY.escape(in, end + 1, hash) : null;
    return new WebUrl(scheme, host, port, path, query, fragment(hash));
  }

  private int hash(int from) {
    int hash = in.indexOf('#', from);
    return hash < 0 ? in.length() : hash;
  }

  private @Nullable String fragment(int hash) {
    return hash == in.length() ? null : EscapeSet.FRAGMENT.escape(in, hash + 1, in.length());
  }

  static boolean isSlash(char c) {
    return c == '/' || c == '\\';
  }
}

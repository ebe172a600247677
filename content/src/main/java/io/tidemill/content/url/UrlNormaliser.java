package io.tidemill.content.url;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Gives every page one name: the form of a URL that is its identity and is published (C4.4).
///
/// On top of what [WebUrl] does (dot segments, default port, ASCII host): no fragment, no empty
/// query, no dot behind the host, escapes of unreserved characters decoded, all other escapes in
/// one spelling, characters that RFC 3986 does not allow escaped. The rest are settings. Escapes
/// are upper case as in RFC 3986; in an all lower case identity they are lower case too, so that
/// such a name equals its own lower case. Normalising twice changes nothing.
public final class UrlNormaliser {
  private static final String UNRESERVED_MARKS = "-._~";
  private static final boolean[] ALLOWED = allowed();
  private static final Comparator<String> BY_NAME =
      Comparator.comparing(UrlNormaliser::parameterName);

  private final UrlRules rules;
  private final DroppedParameters dropped;

  /// A normaliser under these rules.
  public UrlNormaliser(UrlRules rules) {
    this.rules = rules;
    this.dropped = new DroppedParameters(rules);
  }

  private static boolean[] allowed() {
    var allowed = new boolean[0x80];
    for (char c = 0; c < 0x80; c++) allowed[c] = isUnreserved(c);
    for (char c : "!$&'()*+,;=:@/?".toCharArray()) allowed[c] = true;
    return allowed;
  }

  private static boolean isUnreserved(int c) {
    return (c >= '0' && c <= '9')
        || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
        || (c < 0x80 && UNRESERVED_MARKS.indexOf(c) >= 0);
  }

  /// The identity of the page behind a URL.
  public String normalise(WebUrl url) {
    var out = new StringBuilder(url.host().length() + url.path().length() + 64);
    out.append(url.scheme()).append("://").append(host(url));
    if (url.port() >= 0) out.append(':').append(url.port());
    appendPath(out, url.path());
    var query = url.query();
    if (query != null && !query.isEmpty()) appendQuery(out, query);
    return out.toString();
  }

  /// The root's dot names the same host; behind two dots is no host, so those are left alone.
  private static String host(WebUrl url) {
    var host = url.host();
    boolean rooted = host.length() > 1 && host.endsWith(".") && !host.endsWith("..");
    return rooted ? host.substring(0, host.length() - 1) : host;
  }

  private void appendPath(StringBuilder out, String path) {
    int from = 0;
    while (from < path.length()) {
      int session = rules.dropSessions() ? SessionIds.inPath(path, from) : -1;
      append(out, path, from, session < 0 ? path.length() : session);
      int next = session < 0 ? -1 : path.indexOf('/', session);
      from = next < 0 ? path.length() : next;
    }
  }

  private void appendQuery(StringBuilder out, String query) {
    var parameters = parameters(query);
    if (parameters.isEmpty()) return;
    if (rules.sortQuery() && parameters.size() > 1) parameters.sort(BY_NAME);
    char before = '?';
    for (var parameter : parameters) {
      out.append(before).append(parameter);
      before = '&';
    }
  }

  private List<String> parameters(String query) {
    var parameters = new ArrayList<String>();
    for (int start = 0; start < query.length(); ) {
      int next = query.indexOf('&', start);
      int end = next < 0 ? query.length() : next;
      if (end > start) {
        var parameter = normal(query, start, end);
        if (!dropped.holds(parameter)) parameters.add(parameter);
      }
      start = end + 1;
    }
    return parameters;
  }

  private static String parameterName(String parameter) {
    int end = parameter.indexOf('=');
    return end < 0 ? parameter : parameter.substring(0, end);
  }

  private String normal(String text, int from, int to) {
    if (isNormal(text, from, to)) return text.substring(from, to);
    var out = new StringBuilder(to - from + 16);
    append(out, text, from, to);
    return out.toString();
  }

  private boolean isNormal(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c >= 0x80 || !ALLOWED[c] || lower(c) != c) return false;
    }
    return true;
  }

  private void append(StringBuilder out, String text, int from, int to) {
    if (isNormal(text, from, to)) {
      out.append(text, from, to);
      return;
    }
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '%') i += appendEscape(out, text, i, to);
      else if (c < 0x80 && ALLOWED[c]) out.append(lower(c));
      else appendByte(out, c & 0xFF);
    }
  }

  /// How many characters behind the percent sign were used.
  private int appendEscape(StringBuilder out, String text, int at, int to) {
    int high = at + 2 < to ? Character.digit(text.charAt(at + 1), 16) : -1;
    int low = at + 2 < to ? Character.digit(text.charAt(at + 2), 16) : -1;
    if (high < 0 || low < 0) {
      appendByte(out, '%');
      return 0;
    }
    int value = high << 4 | low;
    if (isUnreserved(value)) out.append(lower((char) value));
    else appendByte(out, value);
    return 2;
  }

  private void appendByte(StringBuilder out, int value) {
    int start = out.length();
    EscapeSet.appendByte(out, value);
    for (int i = start; i < out.length(); i++) out.setCharAt(i, lower(out.charAt(i)));
  }

  private char lower(char c) {
    return rules.lowerCase() && c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
  }
}

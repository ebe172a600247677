package io.tidemill.content.charset;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The value of a `Content-Type` header.
///
/// @param essence lower case, without parameters; empty when the header says nothing
/// @param charset the first `charset` parameter
public record MediaType(String essence, @Nullable String charset) {

  /// Reads a header leniently: what is not understood is left out.
  public static MediaType parse(@Nullable String header) {
    if (header == null) return new MediaType("", null);
    var semicolon = header.indexOf(';');
    var essence = (semicolon < 0 ? header : header.substring(0, semicolon)).strip();
    var valid = essence.indexOf('/') > 0 && essence.indexOf(' ') < 0;
    return new MediaType(valid ? essence.toLowerCase(Locale.ROOT) : "", charset(header, semicolon));
  }

  private static @Nullable String charset(String header, int semicolon) {
    var at = semicolon;
    while (at >= 0) {
      var equals = nameEnd(header, at + 1);
      var name = header.substring(at + 1, equals).strip();
      var next = valueEnd(header, equals);
      if (name.equalsIgnoreCase("charset") && equals < header.length()) {
        return unquote(header.substring(equals + 1, next).strip());
      }
      at = next < header.length() ? next : -1;
    }
    return null;
  }

  private static int nameEnd(String header, int from) {
    var at = from;
    while (at < header.length() && header.charAt(at) != '=' && header.charAt(at) != ';') at++;
    return at;
  }

  private static int valueEnd(String header, int from) {
    var quoted = false;
    for (var at = from; at < header.length(); at++) {
      var c = header.charAt(at);
      if (c == '"') quoted = !quoted;
      if (c == '\\' && quoted) at++;
      if (c == ';' && !quoted) return at;
    }
    return header.length();
  }

  private static String unquote(String value) {
    if (!value.startsWith("\"")) return value;
    var close = value.indexOf('"', 1);
    return value.substring(1, close < 0 ? value.length() : close).replace("\\", "");
  }

  /// Whether browsers read it as a web page.
  public boolean isHtml() {
    return essence.equals("text/html") || essence.equals("application/xhtml+xml");
  }

  public boolean isXml() {
    return essence.endsWith("+xml")
        || essence.equals("text/xml")
        || essence.equals("application/xml");
  }

  public boolean isJson() {
    return essence.endsWith("+json")
        || essence.equals("application/json")
        || essence.equals("text/json");
  }
}

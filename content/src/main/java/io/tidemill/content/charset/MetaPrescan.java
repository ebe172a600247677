package io.tidemill.content.charset;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks for the encoding that an HTML page declares for itself: the standard's prescan of the
/// first kilobyte, which goes on while it is still in the head, as browsers do.
final class MetaPrescan {
  private static final int FIRST = 1024;
  private static final int FARTHEST = 64 * 1024;
  private static final Set<String> HEAD =
      Set.of(
          "html",
          "head",
          "base",
          "basefont",
          "bgsound",
          "link",
          "meta",
          "title",
          "style",
          "script",
          "noscript",
          "noframes");
  private static final Set<String> RAW =
      Set.of("script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes");

  private final byte[] bytes;
  private final boolean skipRaw;
  private final int end;
  private int at;
  private boolean inHead = true;
  private String name = "";
  private String value = "";

  private MetaPrescan(byte[] bytes, boolean skipRaw) {
    this.bytes = bytes;
    this.skipRaw = skipRaw;
    this.end = Math.min(bytes.length, skipRaw ? FARTHEST : FIRST);
  }

  /// The declared encoding; null when there is none.
  static @Nullable Encoding declared(byte[] bytes) {
    return new MetaPrescan(bytes, true).scan();
  }

  /// The same by the letter of the standard, which also believes what stands in scripts and styles.
  /// Browsers don't: good enough only where the answer changes no character.
  static @Nullable Encoding declaredAnywhere(byte[] bytes) {
    return new MetaPrescan(bytes, false).scan();
  }

  private @Nullable Encoding scan() {
    try {
      // Browsers read on to the end of a tag that begins within the kilobyte.
      while (at < end && (inHead || at < FIRST)) {
        var found = step();
        if (found != null) return found;
        at++;
      }
    } catch (EndOfBytes _) {
      // The standard's way out: a tag that does not end declares nothing.
    }
    return null;
  }

  private @Nullable Encoding step() {
    var b = bytes[at];
    if (b != '<') {
      if (!Encoding.isSpace(b)) leaveHeadFor("");
      return null;
    }
    if (startsWith("<!--")) {
      at += 2;
      skipPast("-->");
    } else if (startsWith("<meta") && endsName(at + 5)) {
      at += 5;
      return meta();
    } else if (isLetter(at + 1) || (isAt(at + 1, '/') && isLetter(at + 2))) {
      tag();
    } else if (isAt(at + 1, '!') || isAt(at + 1, '/') || isAt(at + 1, '?')) {
      skipPast(">");
    }
    return null;
  }

  private void tag() {
    var start = ++at;
    while (!Encoding.isSpace(current()) && bytes[at] != '>') at++;
    var slash = start;
    while (slash < at && (bytes[slash] != '/' || slash == start)) slash++;
    var tag = text(start, slash).toLowerCase(Locale.ROOT);
    leaveHeadFor(tag);
    while (attribute()) {
      // Attributes may hold a `>`.
    }
    if (skipRaw && RAW.contains(tag)) skipRaw(tag);
  }

  private void leaveHeadFor(String tag) {
    if (!inHead || !skipRaw || HEAD.contains(tag)) return;
    if (tag.startsWith("/") && !tag.equals("/head") && HEAD.contains(tag.substring(1))) return;
    inHead = false;
  }

  private void skipRaw(String tag) {
    for (; ; at++) {
      if (current() == '<' && startsWith("</" + tag) && endsName(at + 2 + tag.length())) {
        at--;
        return;
      }
    }
  }

  private @Nullable Encoding meta() {
    var seen = new HashSet<String>();
    var gotPragma = false;
    var needPragma = false;
    Encoding charset = null;
    var charsetSeen = false;
    while (attribute()) {
      if (!seen.add(name)) continue;
      switch (name) {
        case "http-equiv" -> gotPragma = value.equals("content-type");
        case "content" -> {
          var found = charsetSeen || charset != null ? null : ofContent(value);
          if (found != null) {
            charset = found;
            needPragma = true;
          }
        }
        case "charset" -> {
          charset = label(value);
          charsetSeen = true;
          needPragma = false;
        }
        default -> {}
      }
    }
    return needPragma && !gotPragma ? null : forMeta(charset);
  }

  /// A declaration that could be read as ASCII can't be true when it says UTF-16.
  static @Nullable Encoding forMeta(@Nullable Encoding declared) {
    if (declared == Encoding.UTF_16BE || declared == Encoding.UTF_16LE) return Encoding.UTF_8;
    if (declared != null && declared.name().equals("x-user-defined")) return Encoding.WINDOWS_1252;
    return declared;
  }

  private @Nullable Encoding label(String label) {
    var known = Encoding.forLabel(label).orElse(null);
    // The tree builder, unlike the prescan, sees character references decoded.
    if (known != null || label.indexOf('&') < 0 || !skipRaw) return known;
    return Encoding.forLabel(org.jsoup.parser.Parser.unescapeEntities(label, true)).orElse(null);
  }

  private @Nullable Encoding ofContent(String content) {
    var found = charsetOf(content);
    return found == null ? null : label(found);
  }

  /// The standard's "extracting a character encoding from a meta element".
  static @Nullable String charsetOf(String content) {
    var lower = content.toLowerCase(Locale.ROOT);
    var from = 0;
    while (true) {
      var at = lower.indexOf("charset", from);
      if (at < 0) return null;
      from = skipSpace(content, at + 7);
      if (from < content.length() && content.charAt(from) == '=') break;
    }
    var start = skipSpace(content, from + 1);
    if (start >= content.length()) return null;
    var quote = content.charAt(start);
    if (quote == '"' || quote == '\'') {
      var close = content.indexOf(quote, start + 1);
      return close < 0 ? null : content.substring(start + 1, close);
    }
    var stop = start;
    while (stop < content.length()
        && !Encoding.isSpace(content.charAt(stop))
        && content.charAt(stop) != ';') stop++;
    return content.substring(start, stop);
  }

  private static int skipSpace(String text, int from) {
    var at = from;
    while (at < text.length() && Encoding.isSpace(text.charAt(at))) at++;
    return at;
  }

  // The standard's "get an attribute"; false at the end of the tag.
  private boolean attribute() {
    while (Encoding.isSpace(current()) || bytes[at] == '/') at++;
    if (bytes[at] == '>') return false;
    var start = at;
    value = "";
    while (true) {
      var b = current();
      if (b == '=' && at > start) break;
      if (Encoding.isSpace(b) || b == '/' || b == '>') break;
      at++;
    }
    name = text(start, at).toLowerCase(Locale.ROOT);
    while (Encoding.isSpace(current())) at++;
    if (bytes[at] != '=') return true;
    at++;
    while (Encoding.isSpace(current())) at++;
    readValue();
    return true;
  }

  private void readValue() {
    var quote = current();
    var start = at;
    if (quote == '"' || quote == '\'') {
      at++;
      while (current() != quote) at++;
      value = text(start + 1, at++).toLowerCase(Locale.ROOT);
      return;
    }
    while (!Encoding.isSpace(current()) && bytes[at] != '>') at++;
    value = text(start, at).toLowerCase(Locale.ROOT);
  }

  private int current() {
    if (at >= end) throw new EndOfBytes();
    return bytes[at];
  }

  private void skipPast(String mark) {
    while (!startsWith(mark)) {
      at++;
      current();
    }
    at += mark.length() - 1;
  }

  private boolean startsWith(String mark) {
    if (at + mark.length() > end) return false;
    for (var i = 0; i < mark.length(); i++) {
      var b = bytes[at + i];
      if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != mark.charAt(i)) return false;
    }
    return true;
  }

  private boolean endsName(int i) {
    return i < end && (Encoding.isSpace(bytes[i]) || bytes[i] == '/' || bytes[i] == '>');
  }

  private boolean isAt(int i, char c) {
    return i < end && bytes[i] == c;
  }

  private boolean isLetter(int i) {
    return i < end && (bytes[i] | 0x20) >= 'a' && (bytes[i] | 0x20) <= 'z';
  }

  private String text(int from, int to) {
    return new String(bytes, from, Math.max(0, to - from), StandardCharsets.ISO_8859_1);
  }

  private static final class EndOfBytes extends RuntimeException {
    EndOfBytes() {
      super(null, null, false, false);
    }
  }
}

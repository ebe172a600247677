package io.tidemill.content.charset;

import io.tidemill.content.language.LanguageDetector;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Finds the encoding of a body as browsers do: byte order mark, header, declaration; and where
/// these are silent, from the bytes themselves.
public final class CharsetSniffer {
  private final CharsetGuess guess;

  public CharsetSniffer(LanguageDetector languages) {
    this.guess = new CharsetGuess(languages);
  }

  /// A body read as characters.
  ///
  /// @param encoding that it was read in
  public record Decoded(Encoding encoding, String text) {}

  /// The encoding of a body and where its first character begins.
  ///
  /// @param start behind the byte order mark
  public record Sniffed(Encoding encoding, int start) {}

  /// Reads a body as characters; what can't be read becomes U+FFFD.
  public Decoded decode(byte[] body, @Nullable String contentType) {
    var sniffed = sniff(body, contentType);
    var start = sniffed.start();
    var encoding = sniffed.encoding();
    return new Decoded(encoding, encoding.decode(body, start, body.length - start));
  }

  /// Finds the encoding of a body.
  public Sniffed sniff(byte[] body, @Nullable String contentType) {
    var type = MediaType.parse(contentType);
    var marked = byMark(body, type);
    if (marked != null) return marked;
    var charset = type.charset();
    var named = charset == null ? null : Encoding.forLabel(charset).orElse(null);
    if (named != null) return new Sniffed(named, 0);
    var declared = declared(body, type);
    if (declared != null) return new Sniffed(declared, 0);
    return new Sniffed(undeclared(body, type), 0);
  }

  private static @Nullable Sniffed byMark(byte[] body, MediaType type) {
    if (startsWith(body, 0xEF, 0xBB, 0xBF)) return new Sniffed(Encoding.UTF_8, 3);
    if (!isOfTheWeb(type) && startsWith(body, 0xFF, 0xFE, 0, 0)) {
      return new Sniffed(Encoding.named("utf-32le"), 4);
    }
    if (!isOfTheWeb(type) && startsWith(body, 0, 0, 0xFE, 0xFF)) {
      return new Sniffed(Encoding.named("utf-32be"), 4);
    }
    if (startsWith(body, 0xFE, 0xFF)) return new Sniffed(Encoding.UTF_16BE, 2);
    if (startsWith(body, 0xFF, 0xFE)) return new Sniffed(Encoding.UTF_16LE, 2);
    return null;
  }

  // Browsers read no UTF-32: a page served as such must not become readable only to us.
  private static boolean isOfTheWeb(MediaType type) {
    return type.isHtml() || type.isXml();
  }

  private static @Nullable Encoding declared(byte[] body, MediaType type) {
    if (startsWith(body, '<', 0, '?', 0, 'x', 0)) return Encoding.UTF_16LE;
    if (startsWith(body, 0, '<', 0, '?', 0, 'x')) return Encoding.UTF_16BE;
    if (type.isXml() && !type.isHtml()) return xmlDeclaration(body);
    if (!type.isHtml() && !type.essence().isEmpty()) return null;
    var meta = MetaPrescan.declared(body);
    return meta != null ? meta : xmlDeclaration(body);
  }

  private Encoding undeclared(byte[] body, MediaType type) {
    if (type.isJson() || (type.isXml() && !type.isHtml())) {
      return guess.isUtf8(body) ? Encoding.UTF_8 : guess.of(body, false);
    }
    if (guess.isPlainAscii(body)) {
      var unsafe =
          type.isHtml() || type.essence().isEmpty() ? MetaPrescan.declaredAnywhere(body) : null;
      return unsafe == null ? Encoding.WINDOWS_1252 : unsafe;
    }
    return guess.of(body, !isOfTheWeb(type));
  }

  // The standard's "get an XML encoding".
  private static @Nullable Encoding xmlDeclaration(byte[] body) {
    if (!startsWith(body, '<', '?', 'x', 'm', 'l')) return null;
    var head = new String(body, 0, Math.min(body.length, 1024), StandardCharsets.ISO_8859_1);
    var end = head.indexOf('>');
    var at = head.indexOf("encoding");
    if (end < 0 || at < 0 || at > end) return null;
    at = skipBlanks(head, at + 8);
    if (at >= end || head.charAt(at) != '=') return null;
    at = skipBlanks(head, at + 1);
    var quote = head.charAt(at);
    var close = head.indexOf(quote, at + 1);
    if ((quote != '"' && quote != '\'') || close < 0 || close > end) return null;
    return MetaPrescan.forMeta(Encoding.forAnyLabel(head.substring(at + 1, close)).orElse(null));
  }

  private static int skipBlanks(String text, int from) {
    var at = from;
    while (at < text.length() - 1 && text.charAt(at) <= ' ') at++;
    return Math.min(at, text.length() - 1);
  }

  private static boolean startsWith(byte[] body, int... bytes) {
    if (body.length < bytes.length) return false;
    for (var i = 0; i < bytes.length; i++) if ((body[i] & 0xFF) != bytes[i]) return false;
    return true;
  }
}

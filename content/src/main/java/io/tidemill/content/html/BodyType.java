package io.tidemill.content.html;

import io.tidemill.content.charset.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// What a body is: by its header, and where that says nothing by its first bytes.
///
/// @param mediaType lower case, without parameters
record BodyType(Kind kind, String mediaType) {
  enum Kind {
    HTML,
    XML,
    TEXT,
    OTHER
  }

  private static final int LOOK = 1_024;
  private static final String[] HTML_BEGINNINGS = {
    "<!doctype html",
    "<html",
    "<head",
    "<body",
    "<script",
    "<iframe",
    "<h1",
    "<div",
    "<font",
    "<table",
    "<a ",
    "<style",
    "<title",
    "<b>",
    "<br",
    "<p>",
    "<p ",
    "<!--",
    "<meta",
    "<link"
  };

  static BodyType of(MediaType header, byte[] body) {
    if (says(header)) return new BodyType(kind(header), header.essence());
    var found = sniff(body);
    return found.kind == Kind.OTHER && !header.essence().isEmpty()
        ? new BodyType(Kind.OTHER, found.mediaType)
        : found;
  }

  // These mean "some file": servers send them for what they don't know.
  private static boolean says(MediaType header) {
    return switch (header.essence()) {
      case "",
          "*/*",
          "application/octet-stream",
          "binary/octet-stream",
          "application/unknown",
          "unknown/unknown",
          "application/force-download",
          "application/x-download" ->
          false;
      default -> true;
    };
  }

  private static Kind kind(MediaType header) {
    if (header.isHtml() || header.essence().equals("application/vnd.wap.xhtml+xml"))
      return Kind.HTML;
    if (header.essence().equals("image/svg+xml")) return Kind.OTHER;
    if (header.isXml()) return Kind.XML;
    if (header.isJson()) return Kind.TEXT;
    return switch (header.essence()) {
      case "text/css", "text/javascript", "text/calendar", "text/vcard", "text/rtf" -> Kind.OTHER;
      default -> header.essence().startsWith("text/") ? Kind.TEXT : Kind.OTHER;
    };
  }

  private static BodyType sniff(byte[] body) {
    if (startsWith(body, "%PDF-")) return new BodyType(Kind.OTHER, "application/pdf");
    if (startsWith(body, "PK\u0003\u0004")) return new BodyType(Kind.OTHER, "application/zip");
    if (startsWith(body, "\u00D0\u00CF\u0011\u00E0")) {
      return new BodyType(Kind.OTHER, "application/x-ole-storage");
    }
    var head = head(body);
    if (head.startsWith("<?xml")) {
      return head.contains("<html")
          ? new BodyType(Kind.HTML, "application/xhtml+xml")
          : new BodyType(Kind.XML, "text/xml");
    }
    if (head.startsWith("<rss") || head.startsWith("<feed")) {
      return new BodyType(Kind.XML, "text/xml");
    }
    for (var beginning : HTML_BEGINNINGS) {
      if (head.startsWith(beginning)) return new BodyType(Kind.HTML, "text/html");
    }
    return isBinary(body)
        ? new BodyType(Kind.OTHER, "application/octet-stream")
        : new BodyType(Kind.TEXT, "text/plain");
  }

  private static String head(byte[] body) {
    var head = new String(body, 0, Math.min(body.length, LOOK), StandardCharsets.ISO_8859_1);
    if (head.startsWith("\u00EF\u00BB\u00BF")) head = head.substring(3);
    if (head.startsWith("\u00FF\u00FE") || head.startsWith("\u00FE\u00FF")) {
      head = head.substring(2).replace("\0", "");
    }
    return head.stripLeading().toLowerCase(Locale.ROOT);
  }

  // The "binary data bytes" of the MIME Sniffing Standard; UTF-16 is full of zeros.
  private static boolean isBinary(byte[] body) {
    if (startsWith(body, "\u00FE\u00FF") || startsWith(body, "\u00FF\u00FE")) return false;
    for (var i = 0; i < Math.min(body.length, LOOK); i++) if (isBinary(body[i])) return true;
    return false;
  }

  private static boolean isBinary(byte b) {
    return switch (b) {
      case '\t', '\n', '\f', '\r', 0x1B -> false;
      default -> b >= 0 && b < ' ';
    };
  }

  private static boolean startsWith(byte[] body, String magic) {
    if (body.length < magic.length()) return false;
    for (var i = 0; i < magic.length(); i++) {
      if ((body[i] & 0xFF) != magic.charAt(i)) return false;
    }
    return true;
  }
}

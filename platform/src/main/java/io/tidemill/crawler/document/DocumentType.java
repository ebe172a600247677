package io.tidemill.crawler.document;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The kinds of document that are read, recognised by their first bytes: headers are often wrong.
public enum DocumentType {
  PDF("application/pdf"),
  OFFICE_XML("application/vnd.openxmlformats-officedocument"),
  OFFICE("application/x-tika-msoffice"),
  RTF("application/rtf"),
  OPEN_DOCUMENT("application/vnd.oasis.opendocument"),
  EPUB("application/epub+zip");

  private static final int LOOK = 64 * 1024;

  private final String mediaType;

  DocumentType(String mediaType) {
    this.mediaType = mediaType;
  }

  /// What it is called when nothing more exact is known.
  public String mediaType() {
    return mediaType;
  }

  /// The kind of a body; empty when it is none of ours.
  ///
  /// @param mediaType what its sender says it is
  public static Optional<DocumentType> of(byte[] body, @Nullable String mediaType) {
    // Some programs put a mark or a blank line before the header; so do readers allow it.
    if (indexOf(body, "%PDF-", 1_024) >= 0) return Optional.of(PDF);
    if (startsWith(body, "\u00D0\u00CF\u0011\u00E0\u00A1\u00B1\u001A\u00E1")) {
      return Optional.of(OFFICE);
    }
    if (startsWith(body, "{\\rtf")) return Optional.of(RTF);
    return startsWith(body, "PK\u0003\u0004") ? ofZip(body, mediaType) : Optional.empty();
  }

  // Many things are zip files. OpenDocument and EPUB begin with a part that names their type; where
  // a program forgot it, the names of parts are in the directory at the end.
  private static Optional<DocumentType> ofZip(byte[] body, @Nullable String mediaType) {
    if (indexOf(body, "mimetype" + OPEN_DOCUMENT.mediaType, LOOK) >= 0) {
      return Optional.of(OPEN_DOCUMENT);
    }
    if (indexOf(body, "mimetype" + EPUB.mediaType, LOOK) >= 0) return Optional.of(EPUB);
    if (isOffice(body, mediaType)) return Optional.of(OFFICE_XML);
    var directory = tail(body);
    if (directory.contains("META-INF/container.xml")) return Optional.of(EPUB);
    boolean isOpen =
        directory.contains("META-INF/manifest.xml") && directory.contains("content.xml");
    if (isOpen || says(mediaType, OPEN_DOCUMENT)) return Optional.of(OPEN_DOCUMENT);
    return says(mediaType, EPUB) ? Optional.of(EPUB) : Optional.empty();
  }

  private static boolean says(@Nullable String header, DocumentType type) {
    return header != null && header.contains(type.mediaType);
  }

  private static boolean isOffice(byte[] body, @Nullable String mediaType) {
    if (mediaType != null && mediaType.contains("officedocument")) return true;
    return indexOf(body, "[Content_Types].xml", LOOK) >= 0
        || indexOf(body, "word/document.xml", LOOK) >= 0
        || indexOf(body, "xl/workbook.xml", LOOK) >= 0
        || indexOf(body, "ppt/presentation.xml", LOOK) >= 0;
  }

  private static String tail(byte[] body) {
    int from = Math.max(0, body.length - LOOK);
    return new String(body, from, body.length - from, StandardCharsets.ISO_8859_1);
  }

  private static boolean startsWith(byte[] body, String magic) {
    return indexOf(body, magic, 1) == 0;
  }

  private static int indexOf(byte[] body, String magic, int within) {
    var head = Math.min(body.length, within + magic.length() - 1);
    return new String(body, 0, head, StandardCharsets.ISO_8859_1).indexOf(magic);
  }
}

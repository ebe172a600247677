package io.tidemill.crawler.document;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The kinds of document that are read, told by their first bytes: headers are often wrong.
public enum DocumentType {
  PDF("application/pdf"),
  OFFICE_XML("application/vnd.openxmlformats-officedocument"),
  OFFICE("application/x-tika-msoffice"),
  RTF("application/rtf");

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
    return startsWith(body, "PK\u0003\u0004") && isOffice(body, mediaType)
        ? Optional.of(OFFICE_XML)
        : Optional.empty();
  }

  // Many things are zip files.
  private static boolean isOffice(byte[] body, @Nullable String mediaType) {
    if (mediaType != null && mediaType.contains("officedocument")) return true;
    return indexOf(body, "[Content_Types].xml", LOOK) >= 0
        || indexOf(body, "word/document.xml", LOOK) >= 0
        || indexOf(body, "xl/workbook.xml", LOOK) >= 0
        || indexOf(body, "ppt/presentation.xml", LOOK) >= 0;
  }

  private static boolean startsWith(byte[] body, String magic) {
    return indexOf(body, magic, 1) == 0;
  }

  private static int indexOf(byte[] body, String magic, int within) {
    var head = Math.min(body.length, within + magic.length() - 1);
    return new String(body, 0, head, StandardCharsets.ISO_8859_1).indexOf(magic);
  }
}

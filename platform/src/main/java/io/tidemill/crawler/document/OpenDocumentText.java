package io.tidemill.crawler.document;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLStreamReader;

/// The text of an OpenDocument file (ODT, ODS, ODP) in reading order: one line for a paragraph or a
/// row, notes behind the paragraph that they belong to; nothing that was deleted, no comments.
final class OpenDocumentText implements PartReader.Events {
  private static final int MOST_SPACES = 100;

  private final int maxText;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder notes = new StringBuilder();
  private int skipped;
  private int noted;
  private int paragraphs;
  private boolean isInBody;
  private boolean isInRow;

  private OpenDocumentText(int maxText) {
    this.maxText = maxText;
  }

  static DocumentParser.Parsed parse(byte[] body, int maxText) throws IOException {
    try (var parts = new ZipParts(body)) {
      if (isEncrypted(parts)) throw new IOException("encrypted");
      if (!parts.has("content.xml")) throw new IOException("no content.xml");
      var meta = new PackageMetadata();
      PartReader.read(parts.read("meta.xml"), meta);
      var text = new OpenDocumentText(maxText);
      PartReader.read(parts.read("content.xml"), text);
      return new DocumentParser.Parsed(
          mediaType(parts),
          meta.value("title"),
          text.text.append(text.notes).toString(),
          meta.value("language"),
          meta.date("creation-date"),
          meta.date("date"));
    }
  }

  private static boolean isEncrypted(ZipParts parts) throws IOException {
    var manifest = new String(parts.read("META-INF/manifest.xml"), StandardCharsets.UTF_8);
    return manifest.contains("encryption-data");
  }

  private static String mediaType(ZipParts parts) throws IOException {
    var found = new String(parts.read("mimetype"), StandardCharsets.US_ASCII).strip();
    var isKnown = found.startsWith(DocumentType.OPEN_DOCUMENT.mediaType()) && found.length() < 100;
    return isKnown ? found : DocumentType.OPEN_DOCUMENT.mediaType() + ".text";
  }

  @Override
  public void start(String name, XMLStreamReader element) {
    if (skipped > 0 || isSkipped(name)) {
      skipped++;
      return;
    }
    switch (name) {
      case "body" -> isInBody = true;
      case "table-row" -> isInRow = true;
      case "note-body" -> noted++;
      case "p", "h" -> paragraphs++;
      case "s" -> out().append(" ".repeat(spaces(PartReader.attribute(element, "c"))));
      case "tab" -> out().append(' ');
      case "line-break" -> out().append('\n');
      default -> {} // spans, lists and sections are in their order
    }
  }

  private static boolean isSkipped(String name) {
    return switch (name) {
      case "tracked-changes", "annotation", "note-citation", "desc", "forms" -> true;
      default -> false;
    };
  }

  private static int spaces(String count) {
    try {
      return Math.clamp(Integer.parseInt(count), 1, MOST_SPACES);
    } catch (NumberFormatException none) {
      return 1;
    }
  }

  @Override
  public void end(String name) {
    if (skipped > 0) {
      skipped--;
      return;
    }
    switch (name) {
      case "note-body" -> noted--;
      case "table-row" -> {
        isInRow = false;
        out().append('\n');
      }
      case "p", "h" -> endParagraph();
      default -> {}
    }
  }

  private void endParagraph() {
    paragraphs--;
    out().append(isInRow ? ' ' : '\n');
    if (paragraphs > 0 || noted > 0) return;
    text.append(notes);
    notes.setLength(0);
  }

  @Override
  public void text(String part) {
    if (isInBody && skipped == 0 && paragraphs > 0) out().append(part);
  }

  private StringBuilder out() {
    return noted > 0 ? notes : text;
  }

  @Override
  public boolean isFull() {
    return text.length() + notes.length() > maxText;
  }
}

package io.tidemill.crawler.document;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Office documents of ISO 29500 Strict, which have other namespaces than those that POI reads: the
/// names are changed in a copy without pictures.
final class StrictOffice {
  private static final String STRICT = "http://purl.oclc.org/ooxml/";
  private static final Pattern NAMESPACE =
      Pattern.compile("http://purl\\.oclc\\.org/ooxml/(\\w+)/(\\w*)");

  private StrictOffice() {}

  /// The document in the namespaces that are read; itself when it has them already.
  static byte[] transitional(byte[] body) throws IOException {
    try (var parts = new ZipParts(body)) {
      var root = new String(parts.read("_rels/.rels"), StandardCharsets.ISO_8859_1);
      return root.contains(STRICT) ? rewrite(parts) : body;
    }
  }

  private static byte[] rewrite(ZipParts parts) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(out)) {
      for (var name : parts.names().stream().distinct().toList()) {
        if (!name.endsWith(".xml") && !name.endsWith(".rels")) continue;
        zip.putNextEntry(new ZipEntry(name));
        zip.write(rewrite(parts.read(name)));
      }
    }
    return out.toByteArray();
  }

  private static byte[] rewrite(byte[] part) {
    // One character per byte: the names are ASCII, and the rest stays as it is.
    var text = new String(part, StandardCharsets.ISO_8859_1);
    if (!text.contains(STRICT)) return part;
    return NAMESPACE
        .matcher(text)
        .replaceAll(found ->
            "http://schemas.openxmlformats.org/" + found.group(1) + "/2006/" + name(found.group(2)))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String name(String strict) {
    return switch (strict) {
      case "extendedProperties" -> "extended-properties";
      case "customProperties" -> "custom-properties";
      default -> strict;
    };
  }
}

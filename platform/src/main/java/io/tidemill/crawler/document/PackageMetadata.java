package io.tidemill.crawler.document;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// What OpenDocument's `meta.xml` and the package file of an EPUB say about a document, by the
/// local names of their elements; the first of a name counts.
class PackageMetadata implements PartReader.Events {
  private static final int LONGEST = 1_000;

  private final Map<String, String> values = new HashMap<>();
  private final StringBuilder text = new StringBuilder();
  private String property = "";

  @Override
  public void start(String name, XMLStreamReader element) {
    text.setLength(0);
    // EPUB 3: `<meta property="dcterms:modified">`.
    property = name.equals("meta") ? PartReader.attribute(element, "property") : "";
  }

  @Override
  public void end(String name) {
    if (!text.isEmpty()) values.putIfAbsent(property.isEmpty() ? name : property, text.toString());
    text.setLength(0);
    property = "";
  }

  @Override
  public void text(String part) {
    if (text.length() < LONGEST) text.append(part);
  }

  String value(String name) {
    var value = values.getOrDefault(name, "").strip();
    return value.substring(0, Math.min(value.length(), LONGEST));
  }

  /// A date, a moment or only a year; null when it is none.
  @Nullable Instant date(String name) {
    var value = value(name);
    try {
      if (value.length() <= 4)
        return LocalDate.of(Integer.parseInt(value), 1, 1).atStartOfDay().toInstant(ZoneOffset.UTC);
      if (value.indexOf('T') < 0)
        return LocalDate.parse(value).atStartOfDay().toInstant(ZoneOffset.UTC);
      return value.endsWith("Z") || value.lastIndexOf('+') > 0
          ? OffsetDateTime.parse(value).toInstant()
          : LocalDateTime.parse(value).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException | NumberFormatException none) {
      return null;
    }
  }
}

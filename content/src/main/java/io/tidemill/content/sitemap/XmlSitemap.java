package io.tidemill.content.sitemap;

import io.tidemill.content.url.WebUrl;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// Reads `urlset`, `sitemapindex`, RSS and Atom by the local names of their elements.
///
/// A document type is refused, and with it every entity that could grow. Of a file that breaks off
/// or breaks the rules of XML, what came before counts.
final class XmlSitemap {
  private static final int LONGEST_TEXT = 8_192;
  private static final XMLInputFactory READERS = readers();

  private final WebUrl address;
  private final List<Sitemap.Entry> entries = new ArrayList<>();
  private final List<WebUrl> children = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final List<String> open = new ArrayList<>();
  private @Nullable String location;
  private @Nullable String date;

  XmlSitemap(WebUrl address) {
    this.address = address;
  }

  /// The JDK's own reader, whatever else is on the class path.
  private static XMLInputFactory readers() {
    var readers = XMLInputFactory.newDefaultFactory();
    readers.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    readers.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    readers.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, true);
    readers.setXMLResolver((_, _, _, _) -> {
      throw new XMLStreamException("nothing is loaded");
    });
    return readers;
  }

  Sitemap read(byte[] body, int length) {
    try {
      var xml = READERS.createXMLStreamReader(new ByteArrayInputStream(body, 0, length));
      while (xml.hasNext() && entries.size() + children.size() < SitemapReader.MOST_URLS) {
        if (!event(xml, xml.next())) return Sitemap.EMPTY;
      }
    } catch (XMLStreamException | RuntimeException broken) {
      // The JDK's reader throws more than it declares; what was read so far counts.
    }
    return new Sitemap(entries, children);
  }

  /// Whether to read on.
  private boolean event(XMLStreamReader xml, int kind) {
    switch (kind) {
      case XMLStreamConstants.DTD -> {
        return false;
      }
      case XMLStreamConstants.START_ELEMENT -> start(xml);
      case XMLStreamConstants.END_ELEMENT -> end();
      case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> {
        if (text.length() < LONGEST_TEXT) text.append(xml.getText());
      }
      default -> {} // comments and the like
    }
    return true;
  }

  private void start(XMLStreamReader xml) {
    var name = xml.getLocalName().toLowerCase(Locale.ROOT);
    open.add(name);
    text.setLength(0);
    if (isItem(name)) {
      location = null;
      date = null;
    } else if (name.equals("link") && isItem(parent())) {
      atomLink(xml);
    }
  }

  private void atomLink(XMLStreamReader xml) {
    var href = xml.getAttributeValue(null, "href");
    var rel = xml.getAttributeValue(null, "rel");
    boolean page = rel == null || rel.equals("alternate");
    if (href != null && page && parent().equals("entry") && location == null) location = href;
  }

  private void end() {
    var name = open.getLast();
    if (isItem(parent())) part(name, text.toString().strip());
    open.removeLast();
    if (isItem(name)) item(name);
    text.setLength(0);
  }

  private void part(String name, String value) {
    switch (name) {
      case "loc" -> location = value;
      case "link", "guid" -> {
        if (location == null && parent().equals("item") && !value.isEmpty()) location = value;
      }
      case "lastmod", "pubdate", "updated" -> date = value;
      case "published", "date" -> date = date == null ? value : date;
      default -> {} // images, videos, translations
    }
  }

  private void item(String name) {
    if (location == null || location.isEmpty() || location.length() > LONGEST_TEXT) return;
    var url = address.resolve(location).map(WebUrl::withoutFragment);
    if (url.isEmpty()) return;
    if (name.equals("sitemap")) children.add(url.get());
    else entries.add(new Sitemap.Entry(url.get(), SitemapDates.instant(date)));
  }

  private static boolean isItem(String name) {
    return switch (name) {
      case "url", "sitemap", "item", "entry" -> true;
      default -> false;
    };
  }

  private String parent() {
    return open.size() < 2 ? "" : open.get(open.size() - 2);
  }
}

package io.tidemill.crawler.document;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/// Reads the XML of a document's part; no entity is expanded and nothing is loaded (F49).
final class PartReader {
  /// What happens at the events of a part.
  interface Events {
    void start(String name, XMLStreamReader element);

    void end(String name);

    void text(String text);

    /// Whether nothing more is wanted.
    default boolean isFull() {
      return false;
    }
  }

  private static final XMLInputFactory READERS = readers();

  private PartReader() {}

  /// The JDK's own reader, whatever else is on the class path.
  private static XMLInputFactory readers() {
    var readers = XMLInputFactory.newDefaultFactory();
    readers.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    readers.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    readers.setXMLResolver((_, _, _, _) -> {
      throw new XMLStreamException("nothing is loaded");
    });
    return readers;
  }

  static void read(byte[] part, Events events) throws IOException {
    if (part.length == 0) return;
    try {
      var xml = READERS.createXMLStreamReader(new ByteArrayInputStream(part));
      while (xml.hasNext() && !events.isFull()) event(xml, xml.next(), events);
    } catch (XMLStreamException broken) { // the JDK's limits of depth and size among others
      throw new IOException("XML: " + String.valueOf(broken.getMessage()).replace('\n', ' '));
    }
  }

  private static void event(XMLStreamReader xml, int kind, Events events) {
    switch (kind) {
      case XMLStreamConstants.START_ELEMENT -> events.start(xml.getLocalName(), xml);
      case XMLStreamConstants.END_ELEMENT -> events.end(xml.getLocalName());
      case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
          events.text(xml.getText());
      default -> {} // comments and the like
    }
  }

  /// An attribute by its local name; empty when there is none.
  static String attribute(XMLStreamReader element, String name) {
    for (int i = 0; i < element.getAttributeCount(); i++) {
      if (element.getAttributeLocalName(i).equals(name)) return value(element.getAttributeValue(i));
    }
    return "";
  }

  private static String value(@Nullable String value) {
    return value == null ? "" : value;
  }
}

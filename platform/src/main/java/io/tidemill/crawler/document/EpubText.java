package io.tidemill.crawler.document;

import io.tidemill.content.html.WholeText;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLStreamReader;

/// The text of an EPUB: its chapters in the order of the package's spine, without the table of
/// contents that is made for programs.
final class EpubText {
  private static final String CONTAINER = "META-INF/container.xml";

  private final ZipParts parts;

  private EpubText(ZipParts parts) {
    this.parts = parts;
  }

  /// The package file: metadata, the files of the book and their order.
  private static final class Book extends PackageMetadata {
    final Map<String, String> chapters = new HashMap<>();
    final List<String> spine = new ArrayList<>();

    @Override
    public void start(String name, XMLStreamReader element) {
      super.start(name, element);
      if (name.equals("itemref")) spine.add(PartReader.attribute(element, "idref"));
      if (!name.equals("item") || isContents(element)) return;
      var type = PartReader.attribute(element, "media-type");
      if (!type.contains("html") && !type.contains("dtbook")) return;
      chapters.put(PartReader.attribute(element, "id"), PartReader.attribute(element, "href"));
    }

    private static boolean isContents(XMLStreamReader element) {
      return List.of(PartReader.attribute(element, "properties").split(" ", -1)).contains("nav");
    }
  }

  static DocumentParser.Parsed parse(byte[] body, int maxText) throws IOException {
    try (var parts = new ZipParts(body)) {
      return new EpubText(parts).parse(maxText);
    }
  }

  private DocumentParser.Parsed parse(int maxText) throws IOException {
    var path = packagePath();
    var book = new Book();
    PartReader.read(parts.read(path), book);
    return new DocumentParser.Parsed(
        DocumentType.EPUB.mediaType(),
        book.value("title"),
        chapters(book, path.substring(0, path.lastIndexOf('/') + 1), maxText),
        book.value("language"),
        book.date("date"),
        book.date("dcterms:modified"));
  }

  private String packagePath() throws IOException {
    var paths = new ArrayList<String>();
    PartReader.read(
        parts.read(CONTAINER),
        new PackageMetadata() {
          @Override
          public void start(String name, XMLStreamReader element) {
            if (name.equals("rootfile")) paths.add(PartReader.attribute(element, "full-path"));
          }
        });
    if (paths.isEmpty()) {
      paths.addAll(parts.names().stream().filter(name -> name.endsWith(".opf")).toList());
    }
    if (paths.isEmpty() || !parts.has(paths.getFirst())) throw new IOException("no package file");
    return paths.getFirst();
  }

  private String chapters(Book book, String folder, int maxText) throws IOException {
    var encrypted = new String(parts.read("META-INF/encryption.xml"), StandardCharsets.UTF_8);
    var text = new StringBuilder();
    for (var id : book.spine) {
      var href = book.chapters.get(id);
      if (href == null || text.length() > maxText) continue;
      var path = resolve(folder, href);
      if (encrypted.contains("\"" + path + "\"")) throw new IOException("encrypted");
      text.append(WholeText.of(parts.read(path))).append('\n');
    }
    return text.toString();
  }

  /// A file of the book, by a reference from the folder of its package file.
  static String resolve(String folder, String href) {
    var names = new ArrayList<String>();
    int end = href.indexOf('#');
    for (var name : (folder + decoded(end < 0 ? href : href.substring(0, end))).split("/", -1)) {
      if (name.equals("..") && !names.isEmpty()) names.removeLast();
      else if (!name.equals(".") && !name.equals("..")) names.add(name);
    }
    return String.join("/", names);
  }

  private static String decoded(String href) {
    try {
      return URLDecoder.decode(href.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException strayPercent) {
      return href;
    }
  }
}

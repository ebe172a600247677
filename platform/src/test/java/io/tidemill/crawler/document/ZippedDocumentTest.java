package io.tidemill.crawler.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.config.ByteSize;
import io.tidemill.crawler.document.DocumentParser.UnreadableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// OpenDocument, EPUB and strict Office documents, all made here.
class ZippedDocumentTest {
  private static final String ODT = "application/vnd.oasis.opendocument.text";
  private static final String EPUB = "application/epub+zip";
  private static final String NAMES =
      " xmlns:office='urn:o' xmlns:text='urn:t' xmlns:table='urn:b' xmlns:draw='urn:d'"
          + " xmlns:dc='urn:dc' xmlns:meta='urn:m'";

  @Test
  void readsOpenDocumentAndEpubInAChild() throws IOException {
    var config =
        new DocumentConfig(
            1, ByteSize.ofMib(64), Duration.ofSeconds(60), ByteSize.ofMib(2), 1_000_000);
    try (var reader = new DocumentReader(config, new SimpleMeterRegistry())) {
      var odt = (ParsedDocument) reader.read(odt(paragraph("Ebbe und Flut")), "text/plain");
      var epub = (ParsedDocument) reader.read(epub(), "application/octet-stream");

      assertThat(odt.text()).isEqualTo("Ebbe und Flut");
      assertThat(odt.title()).isEqualTo("Mühlen");
      assertThat(odt.language()).isEqualTo("de-DE");
      assertThat(odt.mediaType()).isEqualTo(ODT);
      assertThat(odt.createdAt()).isEqualTo(Instant.parse("2024-05-01T10:00:00Z"));
      assertThat(epub.title()).isEqualTo("Tide mills");
      assertThat(epub.mediaType()).isEqualTo(EPUB);
    }
  }

  @Test
  void readsParagraphsNotesAndTablesInTheirOrder() throws Exception {
    var body =
        """
        <text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
        <text:h>The <text:span>mill</text:span></text:h>
        <text:p>It<text:s text:c="2"/>turns<text:note><text:note-citation>1</text:note-citation>\
        <text:note-body><text:p>At high tide.</text:p></text:note-body></text:note> slowly\
        <office:annotation><text:p>a comment</text:p></office:annotation>.<text:line-break/>Yes</text:p>
        <text:list><text:list-item><text:p>one</text:p></text:list-item></text:list>
        <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>\
        <table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>
        """;

    assertThat(parse(odt(body), DocumentType.OPEN_DOCUMENT).text())
        .isEqualTo("The mill\nIt turns slowly.\nYes\nAt high tide.\none\na b");
  }

  @Test
  void readsChaptersInTheOrderOfTheSpine() throws Exception {
    var book = parse(epub(), DocumentType.EPUB);

    assertThat(book.text())
        .isEqualTo("Chapter one\nThe tide\u2014comes in.\nChapter two\nEbb & flow");
    assertThat(book.title()).isEqualTo("Tide mills");
    assertThat(book.language()).isEqualTo("en-GB");
    assertThat(book.createdAt()).isEqualTo(Instant.parse("1999-01-01T00:00:00Z"));
    assertThat(book.modifiedAt()).isEqualTo(Instant.parse("2024-05-01T10:00:00Z"));
  }

  @Test
  void readsOfficeDocumentsOfIsoStrict() throws Exception {
    assertThat(parse(strictWord(), DocumentType.OFFICE_XML).text()).isEqualTo("Sluices and ponds");
    assertThat(parse(strictSheet(), DocumentType.OFFICE_XML).text()).contains("wheels");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/zip", "text/html", "application/vnd.ms-word", ""})
  void knowsThemWhateverTheHeaderSays(String header) throws IOException {
    var forgotTheirType = zip("META-INF/container.xml", "<x/>", "a.opf", "<x/>");

    assertThat(DocumentType.of(odt(""), header)).hasValue(DocumentType.OPEN_DOCUMENT);
    assertThat(DocumentType.of(epub(), header)).hasValue(DocumentType.EPUB);
    assertThat(DocumentType.of(forgotTheirType, header)).hasValue(DocumentType.EPUB);
    assertThat(DocumentType.of(zip("notes.txt", "x"), header)).isEmpty();
    assertThat(DocumentType.of(zip("notes.txt", "x"), ODT)).hasValue(DocumentType.OPEN_DOCUMENT);
  }

  @Test
  void saysThatADocumentIsEncrypted() throws IOException {
    var odt =
        zip(
            "mimetype", ODT,
            "META-INF/manifest.xml", "<m><encryption-data/></m>",
            "content.xml", "?");

    assertThatThrownBy(() -> parse(odt, DocumentType.OPEN_DOCUMENT)).hasMessage("encrypted");
  }

  @Test
  void expandsNoEntities() throws IOException { // F49: billion laughs, files of this machine
    var laughs =
        "<!DOCTYPE d [<!ENTITY f SYSTEM \"file:///etc/passwd\"><!ENTITY a \"ha\"><!ENTITY b"
            + " \"&a;&a;&a;\">]>";
    var content = laughs + content("<text:p>x&b;&f;</text:p>");
    var odt = zip("mimetype", ODT, "content.xml", content);
    var chapter = laughs + "<html><body><p>x&b;&f;</p></body></html>";

    assertThat(textOrReason(odt, DocumentType.OPEN_DOCUMENT)).doesNotContain("root:", "haha");
    assertThat(textOrReason(epub(chapter), DocumentType.EPUB)).doesNotContain("root:", "haha");
  }

  @Test
  void inflatesNoBombs() throws IOException { // F49
    var zeros = " ".repeat(ZipParts.LARGEST_PART + 1);
    var odt = zip("mimetype", ODT, "content.xml", zeros);
    var strict = zip("[Content_Types].xml", "", "_rels/.rels", zeros);

    assertThat(textOrReason(odt, DocumentType.OPEN_DOCUMENT)).contains("inflates to more");
    assertThat(textOrReason(epub(zeros), DocumentType.EPUB)).contains("inflates to more");
    assertThat(textOrReason(strict, DocumentType.OFFICE_XML)).contains("inflates to more");
  }

  @Test
  void endsAtItsLimits() throws Exception { // F49
    var deep = "<text:list>".repeat(5_000) + "</text:list>".repeat(5_000);
    var long_ = odt(paragraph("0123456789").repeat(100));

    assertThat(textOrReason(odt(deep), DocumentType.OPEN_DOCUMENT)).contains("depth");
    assertThat(new DocumentParser().parse(long_, DocumentType.OPEN_DOCUMENT, 7).text())
        .isEqualTo("0123456");
  }

  @Test
  void staysWithinTheBook() { // a reference names a part of the zip, never a file
    assertThat(EpubText.resolve("OEBPS/", "../../../etc/passwd")).isEqualTo("etc/passwd");
    assertThat(EpubText.resolve("OEBPS/", "a%20b+c.xhtml#x")).isEqualTo("OEBPS/a b+c.xhtml");
    assertThat(EpubText.resolve("", "100%.xhtml")).isEqualTo("100%.xhtml");
  }

  /// Whatever is broken in a document, it has text or a reason.
  @Test
  void readsAnyBytes() throws IOException { // F49
    var random = new Random(17);
    var documents = new byte[][] {odt(paragraph("Ebbe und Flut")), epub(), strictWord()};
    var types =
        new DocumentType[] {DocumentType.OPEN_DOCUMENT, DocumentType.EPUB, DocumentType.OFFICE_XML};
    for (int i = 0; i < 600; i++) {
      var broken = documents[i % 3].clone();
      for (int n = random.nextInt(1, 8); n > 0; n--) {
        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
      }
      DocumentType.of(broken, null);
      assertThat(textOrReason(broken, types[i % 3])).isNotNull();
    }
  }

  /// The same, with the zip whole and its XML broken.
  @Test
  void readsAnyXml() throws IOException { // F49
    var random = new Random(18);
    var content = content(paragraph("Ebbe") + "<text:note><text:note-body>" + paragraph("x"));
    for (int i = 0; i < 600; i++) {
      var broken = new StringBuilder(content);
      for (int n = random.nextInt(1, 6); n > 0; n--) {
        broken.setCharAt(random.nextInt(broken.length()), (char) random.nextInt(' ', 0x3000));
      }
      var odt = zip("mimetype", ODT, "meta.xml", broken.toString(), "content.xml", content);

      assertThat(textOrReason(odt, DocumentType.OPEN_DOCUMENT)).isNotNull();
      assertThat(textOrReason(epub(broken.toString()), DocumentType.EPUB)).isNotNull();
    }
  }

  private static DocumentParser.Parsed parse(byte[] body, DocumentType type)
      throws UnreadableException {
    return new DocumentParser().parse(body, type, 1_000_000);
  }

  private static String textOrReason(byte[] body, DocumentType type) {
    try {
      return parse(body, type).text();
    } catch (UnreadableException why) {
      return String.valueOf(why.getMessage());
    }
  }

  private static String paragraph(String text) {
    return "<text:p>" + text + "</text:p>";
  }

  private static String content(String body) {
    return "<office:document-content"
        + NAMES
        + "><office:body><office:text>"
        + body
        + "</office:text></office:body></office:document-content>";
  }

  private static byte[] odt(String body) throws IOException {
    var meta =
        "<office:document-meta"
            + NAMES
            + "><office:meta><dc:title>Mühlen</dc:title><dc:language>de-DE</dc:language>"
            + "<meta:creation-date>2024-05-01T10:00:00</meta:creation-date></office:meta>"
            + "</office:document-meta>";
    return zip("mimetype", ODT, "content.xml", content(body), "meta.xml", meta);
  }

  private static byte[] epub() throws IOException {
    return epub(
        "<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'x.dtd'><html"
            + " xmlns='http://www.w3.org/1999/xhtml'><head><title>no</title></head><body>"
            + "<h1>Chapter one</h1><p>The tide&mdash;comes\nin.</p></body></html>");
  }

  private static byte[] epub(String firstChapter) throws IOException {
    return zip(
        "mimetype",
        EPUB,
        "META-INF/container.xml",
        "<container><rootfiles><rootfile full-path='OEBPS/book.opf'/></rootfiles></container>",
        "OEBPS/book.opf",
        """
        <package xmlns:dc="urn:dc"><metadata><dc:title>Tide mills</dc:title>
        <dc:language>en-GB</dc:language><dc:date>1999</dc:date>
        <meta property="dcterms:modified">2024-05-01T10:00:00Z</meta></metadata><manifest>
        <item id="two" href="text/b.xhtml" media-type="application/xhtml+xml"/>
        <item id="one" href="text/a%20a.xhtml" media-type="application/xhtml+xml"/>
        <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
        </manifest><spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/>
        <itemref idref="lost"/></spine></package>
        """,
        "OEBPS/text/b.xhtml",
        "<html><body><h1>Chapter two</h1><div>Ebb &amp; flow</div></body></html>",
        "OEBPS/text/a a.xhtml",
        firstChapter,
        "OEBPS/nav.xhtml",
        "<html><body>Contents</body></html>");
  }

  private static final String STRICT = "http://purl.oclc.org/ooxml/";

  private static byte[] strictWord() throws IOException {
    return office(
        "word/document.xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        "<w:document xmlns:w='"
            + STRICT
            + "wordprocessingml/main'><w:body><w:p><w:r><w:t>Sluices and ponds</w:t></w:r></w:p>"
            + "</w:body></w:document>");
  }

  private static byte[] strictSheet() throws IOException {
    var relations =
        "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
            + "<Relationship Id='s1' Type='"
            + STRICT
            + "officeDocument/relationships/worksheet' Target='sheet.xml'/></Relationships>";
    return office(
        "xl/workbook.xml",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
        "<workbook xmlns='"
            + STRICT
            + "spreadsheetml/main' xmlns:r='"
            + STRICT
            + "officeDocument/relationships'><sheets><sheet name='one' sheetId='1' r:id='s1'/>"
            + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels",
        relations,
        "xl/sheet.xml",
        "<worksheet xmlns='"
            + STRICT
            + "spreadsheetml/main'><sheetData><row r='1'><c r='A1' t='inlineStr'><is><t>wheels</t>"
            + "</is></c></row></sheetData></worksheet>");
  }

  private static byte[] office(String main, String type, String... more) throws IOException {
    var start =
        new String[] {
          "[Content_Types].xml",
          "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'><Default"
              + " Extension='rels' ContentType='application/vnd.openxmlformats-package.relationships+xml'/>"
              + "<Override PartName='/xl/sheet.xml' ContentType='application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml'/>"
              + "<Override PartName='/"
              + main
              + "' ContentType='"
              + type
              + "'/></Types>",
          "_rels/.rels",
          "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>"
              + "<Relationship Id='r' Type='"
              + STRICT
              + "officeDocument/relationships/officeDocument' Target='"
              + main
              + "'/></Relationships>",
          main
        };
    var all = new String[start.length + more.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(more, 0, all, start.length, more.length);
    return zip(all);
  }

  /// As the formats want it, a part that names their type is first and not compressed.
  private static byte[] zip(String... namesAndContents) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(out)) {
      for (int i = 0; i < namesAndContents.length; i += 2) {
        var entry = new ZipEntry(namesAndContents[i]);
        var content = namesAndContents[i + 1].getBytes(StandardCharsets.UTF_8);
        if (entry.getName().equals("mimetype")) store(entry, content);
        zip.putNextEntry(entry);
        zip.write(content);
      }
    }
    return out.toByteArray();
  }

  private static void store(ZipEntry entry, byte[] content) {
    var sum = new CRC32();
    sum.update(content);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(sum.getValue());
  }
}

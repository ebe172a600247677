package io.tidemill.crawler.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidemill.config.ByteSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Calendar;
import java.util.Random;
import java.util.TimeZone;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.apache.poi.hslf.usermodel.HSLFSlideShow;
import org.apache.poi.hssf.usermodel.HSSFWorkbook;
import org.apache.poi.ss.usermodel.Workbook;
import org.apache.poi.xslf.usermodel.XMLSlideShow;
import org.apache.poi.xssf.usermodel.XSSFWorkbook;
import org.apache.poi.xwpf.usermodel.XWPFDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DocumentReaderTest {
  private static final DocumentReader READER = reader(256, Duration.ofSeconds(60));
  private static final String DOCX =
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

  @AfterAll
  static void stop() {
    READER.close();
  }

  @Test
  void readsPdfWhateverTheHeaderSays() throws IOException {
    var document =
        (ParsedDocument) READER.read(pdf("Tide mills grind"), "application/octet-stream");

    assertThat(document.text()).isEqualTo("Tide mills grind");
    assertThat(document.title()).isEqualTo("The title");
    assertThat(document.mediaType()).isEqualTo("application/pdf");
    assertThat(document.createdAt()).isEqualTo(Instant.parse("2024-05-01T10:00:00Z"));
  }

  @Test
  void readsWordExcelAndPowerPoint() throws IOException {
    assertThat(text(docx("Tide mills grind\tslowly"))).isEqualTo("Tide mills grind slowly");
    assertThat(text(book(new XSSFWorkbook()))).contains("wheels");
    assertThat(text(book(new HSSFWorkbook()))).contains("wheels");
    assertThat(text(slides())).contains("sluices");
    assertThat(text(oldSlides())).contains("sluices");
    assertThat(
            text(
                "{\\rtf1\\ansi\\pard dams and {\\b ponds}\\par}"
                    .getBytes(StandardCharsets.US_ASCII)))
        .isEqualTo("dams and ponds");
  }

  @Test
  void refusesWhatIsNoDocument() throws IOException {
    assertThat(READER.reads("hello".getBytes(StandardCharsets.UTF_8), "text/plain")).isFalse();
    assertThat(cause(READER.read(zip("notes.txt", "x"), "application/zip")))
        .isEqualTo(DocumentReading.Cause.UNSUPPORTED);
  }

  @Test
  void refusesWhatIsTooLargeBeforeAnyChildSeesIt() {
    var large = new byte[3 * 1024 * 1024];
    System.arraycopy("%PDF-1.7".getBytes(StandardCharsets.US_ASCII), 0, large, 0, 8);
    try (var reader =
        new DocumentReader(config(64, Duration.ofSeconds(5)), new SimpleMeterRegistry())) {
      assertThat(cause(reader.read(large, "application/pdf")))
          .isEqualTo(DocumentReading.Cause.TOO_LARGE);
      assertThat(reader.children()).isEmpty();
    }
  }

  @Test
  void saysWhyABrokenDocumentHasNoText() {
    var broken = "%PDF-1.7 and nothing else".getBytes(StandardCharsets.US_ASCII);

    assertThat(cause(READER.read(broken, "application/pdf")))
        .isEqualTo(DocumentReading.Cause.UNREADABLE);
  }

  @Test
  void expandsNoEntities() throws IOException { // billion laughs, and files of this machine
    var laughs =
        new StringBuilder(
            "<!DOCTYPE d [<!ENTITY f SYSTEM \"file:///etc/passwd\"><!ENTITY a0 \"ha\">");
    for (var i = 1; i < 30; i++) {
      laughs.append("<!ENTITY a" + i + " \"" + ("&a" + (i - 1) + ";").repeat(10) + "\">");
    }
    var bomb = docx(laughs + "]>", "&a29;&f;");

    var reading = READER.read(bomb, DOCX);

    if (reading instanceof ParsedDocument document) {
      assertThat(document.text()).doesNotContain("root:").hasSizeLessThan(1_000);
    } else {
      assertThat(cause(reading)).isEqualTo(DocumentReading.Cause.UNREADABLE);
    }
    assertThat(text(docx("after"))).isEqualTo("after");
  }

  @Test
  void survivesADocumentThatNeedsMoreMemoryThanThereIs() throws IOException { // F49
    try (var reader = reader(24, Duration.ofSeconds(60))) {
      assertThat(cause(reader.read(manyWords(), DOCX))).isEqualTo(DocumentReading.Cause.CRASHED);
      assertThat(text(reader, docx("after"))).isEqualTo("after");
    }
  }

  @Test
  void killsAChildThatTakesTooLong() throws IOException { // F49
    try (var reader = reader(256, Duration.ofMillis(20))) {
      assertThat(cause(reader.read(manyWords(), DOCX))).isEqualTo(DocumentReading.Cause.TIMEOUT);
      await().until(() -> reader.children().isEmpty());
    }
  }

  @Test
  void replacesAChildThatWasKilledAtWork() throws Exception {
    try (var reader = reader(256, Duration.ofSeconds(60))) {
      var words = manyWords();
      var reading = CompletableFuture.supplyAsync(() -> reader.read(words, DOCX));
      await().pollInterval(Duration.ofMillis(5)).until(() -> !reader.children().isEmpty());
      ProcessHandle.of(reader.children().getFirst()).orElseThrow().destroyForcibly();

      assertThat(cause(reading.get(30, TimeUnit.SECONDS))).isEqualTo(DocumentReading.Cause.CRASHED);
      assertThat(text(reader, docx("after"))).isEqualTo("after");
    }
  }

  @Test
  void keepsOneChildForManyDocumentsAndEndsItAtTheEnd() throws IOException {
    var reader = reader(256, Duration.ofSeconds(60));
    for (var i = 0; i < 3; i++)
      assertThat(text(reader, docx("number " + i))).isEqualTo("number " + i);
    var children = reader.children();

    reader.close();

    assertThat(children).hasSize(1);
    assertThat(ProcessHandle.of(children.getFirst()).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void cutsOffTextAtItsLimit() throws IOException {
    try (var reader =
        new DocumentReader(
            new DocumentConfig(1, ByteSize.ofMib(64), Duration.ofSeconds(60), ByteSize.ofMib(2), 7),
            new SimpleMeterRegistry())) {
      assertThat(text(reader, docx("0123456789"))).isEqualTo("0123456");
    }
  }

  private static DocumentReader reader(int heapMib, Duration timeout) {
    return new DocumentReader(config(heapMib, timeout), new SimpleMeterRegistry());
  }

  private static DocumentConfig config(int heapMib, Duration timeout) {
    return new DocumentConfig(1, ByteSize.ofMib(heapMib), timeout, ByteSize.ofMib(2), 1_000_000);
  }

  private static String text(byte[] document) {
    return text(READER, document);
  }

  private static String text(DocumentReader reader, byte[] document) {
    var reading = reader.read(document, "application/octet-stream");
    assertThat(reading).isInstanceOf(ParsedDocument.class);
    return ((ParsedDocument) reading).text();
  }

  private static DocumentReading.Cause cause(DocumentReading reading) {
    assertThat(reading).isInstanceOf(DocumentReading.Failed.class);
    return ((DocumentReading.Failed) reading).cause();
  }

  private static byte[] pdf(String text) throws IOException {
    try (var document = new PDDocument();
        var out = new ByteArrayOutputStream()) {
      var page = new PDPage();
      document.addPage(page);
      document.getDocumentInformation().setTitle("The title");
      var created = Calendar.getInstance(TimeZone.getTimeZone("UTC"));
      created.setTimeInMillis(Instant.parse("2024-05-01T10:00:00Z").toEpochMilli());
      document.getDocumentInformation().setCreationDate(created);
      try (var content = new PDPageContentStream(document, page)) {
        content.beginText();
        content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
        content.newLineAtOffset(50, 700);
        content.showText(text);
        content.endText();
      }
      document.save(out);
      return out.toByteArray();
    }
  }

  private static byte[] docx(String text) throws IOException {
    try (var document = new XWPFDocument();
        var out = new ByteArrayOutputStream()) {
      document.createParagraph().createRun().setText(text);
      document.write(out);
      return out.toByteArray();
    }
  }

  private static byte[] book(Workbook book) throws IOException {
    try (book;
        var out = new ByteArrayOutputStream()) {
      book.createSheet("one").createRow(0).createCell(0).setCellValue("wheels");
      book.write(out);
      return out.toByteArray();
    }
  }

  private static byte[] slides() throws IOException {
    try (var show = new XMLSlideShow();
        var out = new ByteArrayOutputStream()) {
      show.createSlide().createTextBox().setText("sluices");
      show.write(out);
      return out.toByteArray();
    }
  }

  private static byte[] oldSlides() throws IOException {
    try (var show = new HSLFSlideShow();
        var out = new ByteArrayOutputStream()) {
      show.createSlide().createTextBox().setText("sluices");
      show.write(out);
      return out.toByteArray();
    }
  }

  // Nine million characters in a file of half a megabyte, just within what POI takes for honest.
  private static byte[] manyWords() throws IOException {
    var random = new Random(1);
    var words = new StringBuilder();
    for (var i = 0; i < 60_000; i++) {
      var word = Integer.toString(random.nextInt(1_000_000), 36);
      words.append("<w:p><w:r><w:t>").append((word + " ").repeat(10)).append("</w:t></w:r></w:p>");
    }
    return docx("", words.toString());
  }

  private static byte[] docx(String declarations, String body) throws IOException {
    var w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
    return zip(
        "[Content_Types].xml",
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
            + "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
            + "<Override PartName=\"/word/document.xml\" ContentType=\""
            + DOCX
            + ".main+xml\"/></Types>",
        "_rels/.rels",
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
            + "<Relationship Id=\"r\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\""
            + " Target=\"word/document.xml\"/></Relationships>",
        "word/document.xml",
        declarations
            + "<w:document xmlns:w=\""
            + w
            + "\"><w:body><w:p><w:r><w:t>"
            + "start</w:t></w:r></w:p>"
            + (declarations.isEmpty() ? body : "<w:p><w:r><w:t>" + body + "</w:t></w:r></w:p>")
            + "</w:body></w:document>");
  }

  private static byte[] zip(String... namesAndContents) throws IOException {
    var out = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(out)) {
      for (var i = 0; i < namesAndContents.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndContents[i]));
        zip.write(namesAndContents[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return out.toByteArray();
  }
}

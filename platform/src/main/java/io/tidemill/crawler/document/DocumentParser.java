package io.tidemill.crawler.document;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Date;
import org.apache.tika.exception.EncryptedDocumentException;
import org.apache.tika.exception.TikaException;
import org.apache.tika.exception.WriteLimitReachedException;
import org.apache.tika.extractor.EmbeddedDocumentExtractor;
import org.apache.tika.io.TikaInputStream;
import org.apache.tika.metadata.Metadata;
import org.apache.tika.metadata.TikaCoreProperties;
import org.apache.tika.parser.ParseContext;
import org.apache.tika.parser.Parser;
import org.apache.tika.parser.microsoft.OfficeParser;
import org.apache.tika.parser.microsoft.ooxml.OOXMLParser;
import org.apache.tika.parser.microsoft.rtf.RTFParser;
import org.apache.tika.parser.pdf.PDFParser;
import org.apache.tika.parser.pdf.PDFParserConfig;
import org.apache.tika.sax.BodyContentHandler;
import org.apache.tika.sax.WriteOutContentHandler;
import org.jspecify.annotations.Nullable;
import org.xml.sax.ContentHandler;
import org.xml.sax.SAXException;

/// Takes the text out of a document; what is embedded in it is left alone.
final class DocumentParser {
  private static final int MAX_TITLE = 1_000;

  /// What was found in a document.
  record Parsed(
      String mediaType,
      String title,
      String text,
      String language,
      @Nullable Instant createdAt,
      @Nullable Instant modifiedAt) {}

  /// A document that can't be read, and why.
  static final class UnreadableException extends Exception {
    UnreadableException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private static final class NothingEmbedded implements EmbeddedDocumentExtractor {
    @Override
    public boolean shouldParseEmbedded(Metadata metadata) {
      return false;
    }

    @Override
    public void parseEmbedded(
        InputStream stream, ContentHandler handler, Metadata metadata, boolean outputHtml) {
      // Attachments and pictures have no text of the document.
    }
  }

  Parsed parse(byte[] body, DocumentType type, int maxText) throws UnreadableException {
    try {
      return switch (type) {
        case OPEN_DOCUMENT -> tidy(OpenDocumentText.parse(body, maxText), maxText);
        case EPUB -> tidy(EpubText.parse(body, maxText), maxText);
        case OFFICE_XML -> parse(StrictOffice.transitional(body), new OOXMLParser(), type, maxText);
        case PDF -> parse(body, new PDFParser(), type, maxText);
        case OFFICE -> parse(body, new OfficeParser(), type, maxText);
        case RTF -> parse(body, new RTFParser(), type, maxText);
      };
    } catch (EncryptedDocumentException encrypted) {
      throw new UnreadableException("encrypted", encrypted);
    } catch (IOException | SAXException | TikaException | RuntimeException broken) {
      throw new UnreadableException(reason(broken), broken);
    } catch (StackOverflowError tooDeep) {
      throw new UnreadableException("nested too deeply", tooDeep);
    }
  }

  private static Parsed tidy(Parsed raw, int maxText) {
    var text = lines(raw.text());
    return new Parsed(
        raw.mediaType(),
        title(raw.title()),
        text.substring(0, Math.min(text.length(), maxText)),
        raw.language(),
        raw.createdAt(),
        raw.modifiedAt());
  }

  private static Parsed parse(byte[] body, Parser parser, DocumentType type, int maxText)
      throws IOException, SAXException, TikaException {
    var metadata = new Metadata();
    var writer = new WriteOutContentHandler(maxText);
    try (var in = TikaInputStream.get(new ByteArrayInputStream(body))) {
      parser.parse(in, new BodyContentHandler(writer), metadata, context());
    } catch (IOException | SAXException | TikaException | RuntimeException broken) {
      if (!WriteLimitReachedException.isWriteLimitReached(broken)) throw broken;
    }
    return new Parsed(
        mediaType(metadata, type),
        title(metadata.get(TikaCoreProperties.TITLE)),
        lines(writer.toString()),
        "",
        instant(metadata.getDate(TikaCoreProperties.CREATED)),
        instant(metadata.getDate(TikaCoreProperties.MODIFIED)));
  }

  private static @Nullable Instant instant(@Nullable Date date) {
    return date == null ? null : date.toInstant();
  }

  private static ParseContext context() {
    var context = new ParseContext();
    context.set(EmbeddedDocumentExtractor.class, new NothingEmbedded());
    var pdf = new PDFParserConfig();
    pdf.setOcrStrategy(PDFParserConfig.OCR_STRATEGY.NO_OCR);
    pdf.setExtractInlineImages(false);
    context.set(PDFParserConfig.class, pdf);
    return context;
  }

  private static String reason(Throwable broken) {
    var deepest = broken;
    for (var depth = 0; depth < 10 && deepest.getCause() != null; depth++) {
      deepest = deepest.getCause();
    }
    var message =
        deepest.getMessage() == null ? deepest.getClass().getSimpleName() : deepest.getMessage();
    var line = message.lines().findFirst().orElse("");
    return line.substring(0, Math.min(line.length(), 200));
  }

  private static String mediaType(Metadata metadata, DocumentType type) {
    var found = metadata.get(Metadata.CONTENT_TYPE);
    if (found == null || found.isEmpty()) return type.mediaType();
    var semicolon = found.indexOf(';');
    return semicolon < 0 ? found : found.substring(0, semicolon).strip();
  }

  private static String title(@Nullable String title) {
    if (title == null) return "";
    var line = line(title);
    return line.substring(0, Math.min(line.length(), MAX_TITLE));
  }

  private static String lines(String text) {
    var lines = new StringBuilder(text.length());
    text.lines()
        .forEach(raw -> {
          var line = line(raw);
          if (!line.isEmpty()) lines.append(lines.isEmpty() ? "" : "\n").append(line);
        });
    return lines.toString();
  }

  private static String line(String raw) {
    var line = new StringBuilder(raw.length());
    var blank = false;
    for (var i = 0; i < raw.length(); i++) {
      var c = raw.charAt(i);
      if (c <= ' ' || c == 0xA0) {
        blank = !line.isEmpty();
        continue;
      }
      if (blank) line.append(' ');
      blank = false;
      line.append(c);
    }
    return line.toString();
  }
}

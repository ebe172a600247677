package io.tidemill.processor.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.fontbox.FontBoxFont;
import org.apache.fontbox.ttf.TTFParser;
import org.apache.fontbox.ttf.TrueTypeFont;
import org.apache.pdfbox.io.RandomAccessReadBuffer;
import org.apache.pdfbox.pdmodel.font.CIDFontMapping;
import org.apache.pdfbox.pdmodel.font.FontMapper;
import org.apache.pdfbox.pdmodel.font.FontMapping;
import org.apache.pdfbox.pdmodel.font.PDCIDSystemInfo;
import org.apache.pdfbox.pdmodel.font.PDFont;
import org.apache.pdfbox.pdmodel.font.PDFontDescriptor;
import org.jspecify.annotations.Nullable;

/// The font that comes with PDFBox (Liberation Sans, OFL), in place of any font of the machine: a
/// report looks the same everywhere.
final class ReportFont implements FontMapper {
  private static final String FILE = "/org/apache/pdfbox/resources/ttf/LiberationSans-Regular.ttf";

  private final TrueTypeFont font;

  ReportFont() {
    try (var in = open()) {
      font = new TTFParser().parse(new RandomAccessReadBuffer(in));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static InputStream open() {
    var font = PDFont.class.getResourceAsStream(FILE);
    if (font == null) throw new IllegalStateException(FILE + " is missing");
    return font;
  }

  @Override
  public FontMapping<TrueTypeFont> getTrueTypeFont(
      String name, @Nullable PDFontDescriptor descriptor) {
    return new FontMapping<>(font, false);
  }

  @Override
  public FontMapping<FontBoxFont> getFontBoxFont(
      String name, @Nullable PDFontDescriptor descriptor) {
    return new FontMapping<>(font, false);
  }

  @Override
  @SuppressWarnings("NullAway") // there is no OpenType font, which null says here
  public CIDFontMapping getCIDFont(
      String name, @Nullable PDFontDescriptor descriptor, @Nullable PDCIDSystemInfo system) {
    return new CIDFontMapping(null, font, false);
  }
}

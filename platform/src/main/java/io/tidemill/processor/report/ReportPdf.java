package io.tidemill.processor.report;

import com.openhtmltopdf.outputdevice.helper.ExternalResourceControlPriority;
import com.openhtmltopdf.pdfboxout.PdfRendererBuilder;
import com.openhtmltopdf.svgsupport.BatikSVGDrawer;
import com.openhtmltopdf.svgsupport.BatikSVGDrawer.SvgExternalResourceMode;
import com.openhtmltopdf.svgsupport.BatikSVGDrawer.SvgScriptMode;
import com.openhtmltopdf.util.XRLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Semaphore;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.font.FontMappers;

/// Prints a report on paper of size A4; nothing is loaded from the network or from files.
final class ReportPdf {
  static {
    XRLog.setLoggerImpl(new PdfLogger());
    // Otherwise PDFBox scans all fonts of the machine and writes a cache to the home folder.
    FontMappers.set(new ReportFont());
  }

  // Rendering takes tens of megabytes.
  private static final Semaphore RENDERERS = new Semaphore(2);

  private ReportPdf() {}

  /// A PDF and how many pages it has.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Printed(byte[] bytes, int pages) {}

  static Printed print(String html) throws IOException, InterruptedException {
    RENDERERS.acquire();
    try {
      return render(html);
    } finally {
      RENDERERS.release();
    }
  }

  private static Printed render(String html) throws IOException {
    var out = new ByteArrayOutputStream(128 * 1024);
    try (var svg = new BatikSVGDrawer(SvgScriptMode.SECURE, SvgExternalResourceMode.SECURE);
        var document = new PDDocument()) {
      var builder =
          new PdfRendererBuilder()
              .withHtmlContent(html, null)
              .usePDDocument(document)
              .useSVGDrawer(svg)
              .useFont(ReportFont::open, "Liberation Sans")
              .useReplacementText("\u25a1")
              .withProducer("Tidemill")
              .useUriResolver((_, _) -> null)
              .useExternalResourceAccessControl(
                  (_, _) -> false, ExternalResourceControlPriority.RUN_BEFORE_RESOLVING_URI)
              .toStream(OutputStream.nullOutputStream());
      try (var renderer = builder.buildPdfRenderer()) {
        renderer.layout();
        renderer.createPDFWithoutClosing();
        document.save(out);
        return new Printed(out.toByteArray(), document.getNumberOfPages());
      }
    }
  }
}

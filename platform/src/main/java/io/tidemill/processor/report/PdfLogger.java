package io.tidemill.processor.report;

import com.openhtmltopdf.util.Diagnostic;
import com.openhtmltopdf.util.XRLogger;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs the PDF renderer's messages on debug level.
final class PdfLogger implements XRLogger {
  private static final Logger log = LoggerFactory.getLogger(PdfLogger.class);

  @Override
  public void log(String where, Level level, String message) {
    log.debug("{}: {}", where, message);
  }

  @Override
  public void log(String where, Level level, String message, Throwable thrown) {
    log.debug("{}: {}", where, message, thrown);
  }

  @Override
  public void setLevel(String where, Level level) {}

  @Override
  public boolean isLogLevelEnabled(Diagnostic diagnostic) {
    return log.isDebugEnabled();
  }
}

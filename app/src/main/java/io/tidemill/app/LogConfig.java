package io.tidemill.app;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;

/// What is logged and how, read from keys `log.*`.
@Section("log")
public record LogConfig(
    @Setting(
            value = "auto",
            doc =
                "Form of log lines on standard error: auto, pretty or json. auto = pretty on a terminal.")
        Format format,
    @Setting(
            value = "info",
            doc =
                "Least level of our own log lines: trace, debug, info, warn or error. The line that info writes for each event is left out of the pretty form.")
        Level level) {
  /// Form of log lines.
  public enum Format {
    AUTO,
    PRETTY,
    JSON
  }

  /// Least level.
  public enum Level {
    TRACE,
    DEBUG,
    INFO,
    WARN,
    ERROR
  }
}

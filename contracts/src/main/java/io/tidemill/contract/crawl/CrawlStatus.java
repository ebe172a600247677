package io.tidemill.contract.crawl;

import java.util.Locale;

/// How a crawl stands (C1.3).
public enum CrawlStatus {
  PENDING,
  COMPLETED,
  FAILED,
  CANCELED;

  /// As it is written.
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isTerminal() {
    return this != PENDING;
  }

  /// Reads a status; whatever is not an end counts as pending, such as `in_progress`.
  public static CrawlStatus of(String wire) {
    for (var status : values()) {
      if (status.wire().equals(wire)) return status;
    }
    return PENDING;
  }
}

package io.tidemill.gateway.crawl;

import io.tidemill.config.Section;
import io.tidemill.config.Setting;
import java.time.Duration;

/// What the gateway does with crawls, read from keys `crawls.*`.
@Section("crawls")
public record CrawlsConfig(
    @Setting(
            value = "7d",
            doc =
                "How long progress, events and pages of an ended crawl can be looked at; the crawl itself stays.")
        Duration keep,
    @Setting(
            value = "15s",
            doc =
                "How long a crawl may wait for the broker before another gateway publishes it again.")
        Duration doubtAfter,
    @Setting(value = "15s", doc = "Time between two heartbeat comments on a crawl's event stream.")
        Duration heartbeat,
    @Setting(value = "100000", doc = "Crawls of one owner; above it POST /api/crawls answers 429.")
        int maxPerOwner) {
  public CrawlsConfig {
    if (keep.toSeconds() < 1) {
      throw new IllegalArgumentException("crawls.keep is " + keep + ": expected 1 s or more");
    }
    if (doubtAfter.toMillis() < 1) {
      throw new IllegalArgumentException(
          "crawls.doubt-after is " + doubtAfter + ": expected more than 0");
    }
    if (heartbeat.toMillis() < 1) {
      throw new IllegalArgumentException(
          "crawls.heartbeat is " + heartbeat + ": expected more than 0");
    }
    if (maxPerOwner < 1) {
      throw new IllegalArgumentException(
          "crawls.max-per-owner is " + maxPerOwner + ": expected at least 1");
    }
  }
}

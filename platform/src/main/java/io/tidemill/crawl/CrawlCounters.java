package io.tidemill.crawl;

import static io.tidemill.crawl.CrawlFields.BYTES;
import static io.tidemill.crawl.CrawlFields.ENDED;
import static io.tidemill.crawl.CrawlFields.FAILED;
import static io.tidemill.crawl.CrawlFields.FETCHED;
import static io.tidemill.crawl.CrawlFields.FOUND;
import static io.tidemill.crawl.CrawlFields.OPEN;
import static io.tidemill.crawl.CrawlFields.SKIPPED;
import static io.tidemill.crawl.CrawlFields.STARTED;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How far a crawl is.
///
/// @param open pages that are known and not done; null before the crawl begins and after its end
public record CrawlCounters(
    long found,
    long fetched,
    long skipped,
    long failed,
    long bytes,
    @Nullable Long open,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt) {
  public static final CrawlCounters NONE = new CrawlCounters(0, 0, 0, 0, 0, null, null, null);
  static final String[] FIELDS = {FOUND, FETCHED, SKIPPED, FAILED, BYTES, OPEN, STARTED, ENDED};

  static CrawlCounters of(Map<String, String> fields) {
    return new CrawlCounters(
        number(fields, FOUND),
        number(fields, FETCHED),
        number(fields, SKIPPED),
        number(fields, FAILED),
        number(fields, BYTES),
        fields.containsKey(OPEN) ? (Long) number(fields, OPEN) : null,
        time(fields, STARTED),
        time(fields, ENDED));
  }

  /// The counts by the names that clients see.
  public Map<String, Long> byName() {
    var counts = new LinkedHashMap<String, Long>();
    counts.put("found", found);
    counts.put("fetched", fetched);
    counts.put("skipped", skipped);
    counts.put("failed", failed);
    counts.put("bytes", bytes);
    return counts;
  }

  static @Nullable Instant time(Map<String, String> fields, String name) {
    var millis = number(fields, name);
    return millis > 0 ? Instant.ofEpochMilli(millis) : null;
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(fields.getOrDefault(name, "0"));
  }
}

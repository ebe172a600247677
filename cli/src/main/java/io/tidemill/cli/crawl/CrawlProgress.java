package io.tidemill.cli.crawl;

import io.tidemill.cli.terminal.Amounts;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/// How far a crawl is.
///
/// @param limitedUntil when a host that asked for a pause may be asked again, epoch ms; 0 = now
record CrawlProgress(
    long found, long fetched, long skipped, long failed, long bytes, long limitedUntil) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

  /// As it stands in a `progress` event and in the entity.
  static CrawlProgress of(JsonNode data) {
    return new CrawlProgress(
        data.path("found").asLong(0),
        data.path("fetched").asLong(0),
        data.path("skipped").asLong(0),
        data.path("failed").asLong(0),
        data.path("bytes").asLong(0),
        data.path("rateLimitedUntil").asLong(0));
  }

  /// The part that is over, 0 to 1: of what was found, or of the pages that were asked for.
  ///
  /// @param wanted pages that were asked for; 0 = not known
  double share(long wanted) {
    var ofFound = found > 0 ? (double) (fetched + skipped + failed) / found : 0;
    var ofWanted = wanted > 0 ? (double) fetched / wanted : 0;
    return Math.clamp(Math.max(ofFound, ofWanted), 0.0, 1.0);
  }

  /// In words, the most important first.
  List<String> facts(double pagesPerSecond, Duration since, long nowMillis) {
    var facts = new ArrayList<String>();
    facts.add(Amounts.count(fetched) + " of " + Amounts.count(Math.max(found, fetched), "page"));
    if (failed > 0) facts.add(Amounts.count(failed) + " failed");
    if (limitedUntil > nowMillis) {
      facts.add("told to wait until " + TIME.format(Instant.ofEpochMilli(limitedUntil)));
    }
    facts.add(Amounts.rate(pagesPerSecond));
    facts.add(Amounts.bytes(bytes));
    facts.add(Amounts.clock(since));
    if (skipped > 0) facts.add(Amounts.count(skipped) + " skipped");
    return facts;
  }
}

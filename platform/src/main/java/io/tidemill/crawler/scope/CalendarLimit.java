package io.tidemill.crawler.scope;

import io.tidemill.content.url.WebUrl;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Stops one crawl in one process from following a calendar for ever: so many dates of one kind of
/// URL, and no more (F51).
///
/// Its memory is bounded: it watches the first 200 kinds of URL with a date.
public final class CalendarLimit {
  private static final int MOST_FAMILIES = 200;

  private final int maxDates;
  private final Map<String, Set<Integer>> dates = new HashMap<>();

  /// A limit for one crawl.
  public CalendarLimit(TrapConfig config) {
    this.maxDates = config.maxDates();
  }

  /// Why a link is not followed, in words; empty when it is.
  public Optional<String> refusal(WebUrl url) {
    return UrlDate.in(url)
        .filter(date -> !admits(date))
        .map(_ -> "more than %d dates of one calendar".formatted(maxDates));
  }

  private synchronized boolean admits(UrlDate date) {
    var seen = dates.get(date.family());
    if (seen == null) {
      if (dates.size() >= MOST_FAMILIES) return true;
      seen = new HashSet<>();
      dates.put(date.family(), seen);
    }
    int hash = date.text().hashCode();
    return seen.contains(hash) || (seen.size() < maxDates && seen.add(hash));
  }
}

package io.tidemill.crawler;

import io.tidemill.content.fingerprint.SimHash;
import io.tidemill.content.url.WebUrl;
import io.tidemill.crawler.scope.CalendarLimit;
import io.tidemill.crawler.scope.TrapConfig;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What this process has met in one crawl: it saves questions to the frontier and shows traps.
///
/// Losing it costs time, never a page.
final class CrawlMemory {
  private static final int MOST_OFFERED = 500_000;
  private static final int MOST_TEXTS = 50_000;
  private static final int MOST_SHAPES = 10_000;
  private static final int NEAR = 3;
  private static final int NEAR_COPIES = 40;
  private static final int LEAST_TEXT = 400;

  private final Set<Long> offered = new HashSet<>();
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<String, NearCopies> shapes = new HashMap<>();
  private final CalendarLimit calendars;

  private static final class NearCopies {
    private long last;
    private int count;
  }

  CrawlMemory(TrapConfig traps) {
    calendars = new CalendarLimit(traps);
  }

  /// Whether the crawl has not met this page, as far as we know.
  synchronized boolean isNew(String identity) {
    return !offered.contains(hash(identity));
  }

  /// Notes pages that the frontier knows now.
  synchronized void offered(Iterable<String> identities) {
    for (var identity : identities) {
      if (offered.size() < MOST_OFFERED) offered.add(hash(identity));
    }
  }

  // FNV-1a: a stray collision among half a million pages of one crawl is not to be expected.
  private static long hash(String text) {
    var hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    return hash;
  }

  /// Another page of this crawl with exactly this text.
  synchronized Optional<String> copyOf(String contentHash, String identity, int length) {
    if (length < LEAST_TEXT) return Optional.empty();
    @Nullable String first = texts.get(contentHash);
    if (first == null && texts.size() < MOST_TEXTS) texts.put(contentHash, identity);
    return Optional.ofNullable(first).filter(other -> !other.equals(identity));
  }

  /// Whether pages of this kind of URL have been near copies of each other for a long time: their
  /// links lead nowhere.
  boolean isTrap(WebUrl url, String mainText) {
    if (mainText.length() < LEAST_TEXT) return false;
    return isTrap(shape(url), SimHash.of(mainText));
  }

  private synchronized boolean isTrap(String shape, long simHash) {
    if (shapes.size() >= MOST_SHAPES && !shapes.containsKey(shape)) return false;
    var copies = shapes.computeIfAbsent(shape, _ -> new NearCopies());
    copies.count = SimHash.distance(copies.last, simHash) <= NEAR ? copies.count + 1 : 0;
    copies.last = simHash;
    return copies.count >= NEAR_COPIES;
  }

  // Digits vary, words stay: /day/2026-11-16?p=3 and /day/2026-11-17?p=4 are of one kind.
  private static String shape(WebUrl url) {
    return url.host() + url.pathAndQuery().replaceAll("[0-9]+", "0");
  }

  /// Of these links those that no calendar makes.
  synchronized List<WebUrl> withoutCalendars(List<WebUrl> links) {
    return links.stream().filter(link -> calendars.refusal(link).isEmpty()).toList();
  }
}

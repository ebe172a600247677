package io.tidemill.crawler.scope;

import io.tidemill.content.url.SessionIds;
import io.tidemill.content.url.WebUrl;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;

/// Knows a crawler trap by its URL: paths that grow, calendars without end, session ids (F51).
public final class TrapGuard {
  private static final String COOKIELESS_SESSION = "/(s(";

  private final TrapConfig config;
  private final InstantSource clock;

  /// A guard under these settings.
  public TrapGuard(TrapConfig config, InstantSource clock) {
    this.config = config;
    this.clock = clock;
  }

  /// Why a link is not followed, in words; empty when it is.
  public Optional<String> refusal(WebUrl url) {
    var query = url.query() == null ? "" : url.query();
    int length = url.host().length() + url.path().length() + query.length();
    if (length > config.maxLength()) return Optional.of("a URL of " + length + " characters");
    return explosion(url.path(), query)
        .or(() -> session(url.path(), query))
        .or(() -> calendar(url));
  }

  private Optional<String> explosion(String path, String query) {
    int segments = count(path, '/');
    if (segments > config.maxSegments()) return Optional.of("a path of " + segments + " segments");
    int parameters = query.isEmpty() ? 0 : count(query, '&') + 1;
    if (parameters > config.maxParameters()) {
      return Optional.of("a query of " + parameters + " parameters");
    }
    return segments < config.repeatedSegments() ? Optional.empty() : repeated(path);
  }

  private static int count(String text, char wanted) {
    int count = 0;
    for (int at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) count++;
    return count;
  }

  /// Numbers may well repeat, as in `/2024/01/01/1`.
  private Optional<String> repeated(String path) {
    for (int start = 1; start > 0; start = path.indexOf('/', start) + 1) {
      int next = path.indexOf('/', start);
      if (next < 0) break; // the last one can't repeat behind itself
      if (!isNumber(path, start, next) && repeats(path, start, next) >= config.repeatedSegments()) {
        return Optional.of("a path that repeats " + path.substring(start, next));
      }
    }
    return Optional.empty();
  }

  private static boolean isNumber(String path, int from, int to) {
    int i = from;
    while (i < to && path.charAt(i) >= '0' && path.charAt(i) <= '9') i++;
    return i == to; // nothing at all, as in `//`, counts as one
  }

  /// How often the segment at `from..to` is in the path from there on.
  private static int repeats(String path, int from, int to) {
    int count = 1;
    for (int slash = to; slash >= 0; slash = path.indexOf('/', slash + 1)) {
      int end = slash + 1 + to - from;
      boolean whole = end == path.length() || (end < path.length() && path.charAt(end) == '/');
      if (whole && path.regionMatches(slash + 1, path, from, to - from)) count++;
    }
    return count;
  }

  /// One session id is left out of the page's identity; these can't be.
  private static Optional<String> session(String path, String query) {
    if (path.indexOf('(') >= 0 && path.toLowerCase(Locale.ROOT).contains(COOKIELESS_SESSION)) {
      return Optional.of("a session id in the path");
    }
    if (query.indexOf('&') < 0) return Optional.empty();
    int sessions = 0;
    for (var parameter : query.split("&", -1)) {
      int end = parameter.indexOf('=');
      if (end > 0
          && SessionIds.isParameter(
              parameter.substring(0, end).toLowerCase(Locale.ROOT), parameter.substring(end + 1))) {
        sessions++;
      }
    }
    return sessions > 2 ? Optional.of("several session ids") : Optional.empty();
  }

  private Optional<String> calendar(WebUrl url) {
    var date = UrlDate.in(url);
    return date.isPresent() && isTooFar(date.get())
        ? Optional.of("a calendar at the year " + date.get().year())
        : Optional.empty();
  }

  /// Old news is no trap, and a number may only look like a date.
  private boolean isTooFar(UrlDate date) {
    int now = clock.instant().atOffset(ZoneOffset.UTC).getYear();
    if (date.year() > now + config.yearsAhead()) return !date.compact() || date.ofCalendar();
    return date.year() < now - config.yearsBack() && date.ofCalendar();
  }
}

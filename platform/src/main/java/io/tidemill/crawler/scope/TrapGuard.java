package io.tidemill.crawler.scope;

import io.tidemill.url.SessionIds;
import io.tidemill.url.WebUrl;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
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
    var seen = new HashMap<String, Integer>();
    for (var segment : path.split("/", -1)) {
      if (segment.isEmpty() || segment.chars().allMatch(Character::isDigit)) continue;
      if (seen.merge(segment, 1, Integer::sum) >= config.repeatedSegments()) {
        return Optional.of("a path that repeats " + segment);
      }
    }
    return Optional.empty();
  }

  /// One session id is left out of the page's identity; these can't be.
  private static Optional<String> session(String path, String query) {
    if (path.toLowerCase(Locale.ROOT).contains(COOKIELESS_SESSION)) {
      return Optional.of("a session id in the path");
    }
    int sessions = 0;
    if (query.isEmpty()) return Optional.empty();
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
    if (date.isEmpty()) return Optional.empty();
    int year = date.get().year();
    int now = clock.instant().atOffset(ZoneOffset.UTC).getYear();
    boolean ahead = year > now + config.yearsAhead();
    boolean back = year < now - config.yearsBack() && date.get().calendar();
    return ahead || back ? Optional.of("a calendar at the year " + year) : Optional.empty();
  }
}

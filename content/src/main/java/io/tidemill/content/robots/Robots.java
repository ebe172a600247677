package io.tidemill.content.robots;

import io.tidemill.content.url.WebUrl;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a robots.txt says to one crawler, by RFC 9309: the longest rule that matches decides, and
/// of two as long the one that allows.
///
/// Rules and URLs are brought to one spelling before they are compared ([PathEscapes]), with one
/// exception, as in Google's parser: a rule that allows `/%7Ejoe` does not allow `/~joe`, for the
/// escape was the site's own choice. A rule that forbids it forbids both.
public final class Robots {
  /// Beyond this a robots.txt is not read (RFC 9309, 2.5; F51).
  public static final int MOST_BYTES = 500 * 1024;

  private static final Robots ALLOW_ALL = new Robots(List.of(), null, List.of());
  private static final Robots DISALLOW_ALL =
      new Robots(List.of(RobotsRule.of(false, "/")), null, List.of());

  private final List<RobotsRule> rules;
  private final @Nullable Duration delay;
  private final List<String> sitemaps;

  Robots(List<RobotsRule> rules, @Nullable Duration delay, List<String> sitemaps) {
    this.rules =
        rules.stream()
            .sorted(
                Comparator.comparingInt(RobotsRule::length)
                    .reversed()
                    .thenComparing(RobotsRule::forbids))
            .toList();
    this.delay = delay;
    this.sitemaps = List.copyOf(sitemaps);
  }

  /// Reads a robots.txt for one crawler.
  ///
  /// @param agent the crawler's product token, `Tidemill`; what follows the token is ignored
  public static Robots parse(byte[] body, String agent) {
    return new RobotsParser(agent).parse(body);
  }

  /// The rules of a site that has none.
  public static Robots allowAll() {
    return ALLOW_ALL;
  }

  /// The rules of a site that is not to be entered.
  public static Robots disallowAll() {
    return DISALLOW_ALL;
  }

  /// Whether a URL of this site may be fetched.
  public boolean allows(WebUrl url) {
    return url.path().equals("/robots.txt") || allowsPath(url.pathAndQuery());
  }

  boolean allowsPath(String pathAndQuery) {
    if (rules.isEmpty()) return true;
    var path = RobotsPath.of(pathAndQuery);
    for (var rule : rules) { // the longest first
      if (rule.matches(path)) return !rule.forbids();
    }
    return true;
  }

  /// The pause that the site asks for between two fetches, as it was written.
  public Optional<Duration> crawlDelay() {
    return Optional.ofNullable(delay);
  }

  /// The sitemaps it names, which hold for every crawler.
  public List<String> sitemaps() {
    return sitemaps;
  }
}

package io.tidemill.crawler.text;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// What a page tells crawlers about itself in a `meta` element or an `X-Robots-Tag` header.
///
/// @param agent lower case; `robots` for everybody
/// @param directives lower case, such as `noindex`
public record MetaRobots(String agent, Set<String> directives) {
  public MetaRobots {
    directives = Set.copyOf(directives);
  }

  static MetaRobots of(String agent, String content) {
    var directives =
        Arrays.stream(content.toLowerCase(Locale.ROOT).split("[,;\\s]+"))
            .filter(directive -> !directive.isEmpty())
            .limit(50)
            .collect(Collectors.toUnmodifiableSet());
    return new MetaRobots(agent, directives);
  }

  /// Reads the value of an `X-Robots-Tag` header: `noindex` or `ourbot: noindex`.
  static MetaRobots ofHeader(String value) {
    var colon = value.indexOf(':');
    var named = colon > 0 && isToken(value.substring(0, colon).strip());
    if (!named) return of("robots", value);
    var name = value.substring(0, colon).strip().toLowerCase(Locale.ROOT);
    // `unavailable_after: date` and its like are directives, not names.
    if (name.startsWith("unavailable") || name.startsWith("max-")) return of("robots", value);
    return of(name, value.substring(colon + 1));
  }

  private static boolean isToken(String name) {
    return !name.isEmpty() && name.chars().noneMatch(c -> c == ',' || c <= ' ');
  }

  /// Whether the page is not to be indexed.
  public boolean noindex() {
    return directives.contains("noindex") || directives.contains("none");
  }

  /// Whether its links are not to be followed.
  public boolean nofollow() {
    return directives.contains("nofollow") || directives.contains("none");
  }
}

package io.tidemill.content.robots;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads a robots.txt, keeping only what concerns one crawler: its own groups, merged, or else the
/// groups for all (RFC 9309, 2.2.1).
final class RobotsParser {
  /// As in Google's parser: of a longer line the rest is ignored.
  private static final int LONGEST_LINE = 2083 * 8 - 1;

  private static final int MOST_SITEMAPS = 1_000;
  private static final double LONGEST_DELAY_SECONDS = 86_400;

  private final String agent;
  private final Group own = new Group();
  private final Group all = new Group();
  private final Set<String> sitemaps = new LinkedHashSet<>();
  private boolean ownNamed;
  private boolean inOwn;
  private boolean inAll;
  private boolean rulesSeen;

  private static final class Group {
    final List<RobotsRule> rules = new ArrayList<>();
    @Nullable Duration delay;
  }

  RobotsParser(String agent) {
    this.agent = token(agent);
  }

  Robots parse(byte[] body) {
    int from = byteOrderMark(body);
    int length = Math.min(body.length, Robots.MOST_BYTES) - from;
    // One character per byte: paths are compared as bytes.
    lines(new String(body, from, Math.max(0, length), StandardCharsets.ISO_8859_1));
    var group = ownNamed ? own : all;
    return new Robots(group.rules, group.delay, List.copyOf(sitemaps));
  }

  /// Google's parser also skips the first bytes of a mark that is cut off.
  private static int byteOrderMark(byte[] body) {
    byte[] mark = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    int length = 0;
    while (length < 3 && length < body.length && body[length] == mark[length]) length++;
    return length;
  }

  private void lines(String text) {
    for (int from = 0; from < text.length(); ) {
      int to = from;
      while (to < text.length() && text.charAt(to) != '\n' && text.charAt(to) != '\r') to++;
      if (to > from) line(text, from, Math.min(to, from + LONGEST_LINE));
      from = to + 1;
    }
  }

  private void line(String text, int from, int to) {
    int comment = text.indexOf('#', from, to);
    var line = text.substring(from, comment < 0 ? to : comment).strip();
    int colon = line.indexOf(':');
    if (colon > 0) {
      field(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      return;
    }
    var words = line.split("[ \t]+", 3); // "disallow /" without its colon is common
    if (words.length == 2) field(words[0], words[1]);
  }

  private void field(String name, String value) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case "user-agent", "useragent", "user agent" -> userAgent(value);
      case "allow" -> rule(true, value);
      case "disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw" ->
          rule(false, value);
      case "crawl-delay", "crawldelay", "crawl delay" -> delay(value);
      case "sitemap", "site-map" -> sitemap(value);
      default -> {} // ends no group (RFC 9309, 2.2.4)
    }
  }

  private void userAgent(String value) {
    if (rulesSeen) {
      inOwn = false;
      inAll = false;
      rulesSeen = false;
    }
    if (value.equals("*") || value.startsWith("* ") || value.startsWith("*\t")) {
      inAll = true;
    } else if (!agent.isEmpty() && token(value).equals(agent)) {
      inOwn = true;
      ownNamed = true;
    }
  }

  /// The leading part of a name that names a crawler, in lower case.
  private static String token(String name) {
    int end = 0;
    while (end < name.length() && isTokenPart(name.charAt(end))) end++;
    return name.substring(0, end).toLowerCase(Locale.ROOT);
  }

  /// Digits are more than RFC 9309 names, but `MJ12bot` should not be `MJ`.
  private static boolean isTokenPart(char c) {
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_';
  }

  private void rule(boolean allows, String path) {
    rulesSeen = true;
    if (path.isEmpty() || (!inOwn && !inAll)) return;
    var rule = RobotsRule.of(allows, path);
    if (inOwn) own.rules.add(rule);
    if (inAll) all.rules.add(rule);
  }

  private void delay(String value) {
    try {
      double seconds = Double.parseDouble(value);
      if (!(seconds >= 0)) return;
      var delay = Duration.ofMillis((long) (1000 * Math.min(seconds, LONGEST_DELAY_SECONDS)));
      if (inOwn) own.delay = longer(own.delay, delay);
      if (inAll) all.delay = longer(all.delay, delay);
    } catch (NumberFormatException notANumber) {
      // The site asked for something; it is not clear what.
    }
  }

  private static Duration longer(@Nullable Duration one, Duration other) {
    return one == null || one.compareTo(other) < 0 ? other : one;
  }

  private void sitemap(String value) {
    if (!value.isEmpty() && sitemaps.size() < MOST_SITEMAPS) {
      sitemaps.add(new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }
  }
}

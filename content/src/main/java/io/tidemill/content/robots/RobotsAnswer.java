package io.tidemill.content.robots;

import java.time.Duration;

/// What the answer to a request for robots.txt means, and for how long (RFC 9309, 2.3.1).
///
/// | answer | means | is kept |
/// |---|---|---|
/// | 2xx | the rules in it | 24 h |
/// | 4xx, and a redirect that was not followed to its end | there are no rules | 24 h |
/// | 429 | keep out for now: the site is busy, which is no leave to fetch more | 10 min |
/// | 5xx, anything else, no answer | keep out for now | 10 min |
public record RobotsAnswer(Robots rules, Duration keep) {
  /// RFC 9309, 2.4: not longer than a day.
  public static final Duration KEEP_RULES = Duration.ofHours(24);

  /// When to ask a site again that gave no answer.
  public static final Duration KEEP_OUT = Duration.ofMinutes(10);

  private static final int TOO_MANY_REQUESTS = 429;

  /// The meaning of an answer, at the end of at most five redirects.
  public static RobotsAnswer of(int status, byte[] body, String agent) {
    if (status >= 200 && status < 300) {
      return new RobotsAnswer(Robots.parse(body, agent), KEEP_RULES);
    }
    if (status >= 300 && status < 500 && status != TOO_MANY_REQUESTS) {
      return new RobotsAnswer(Robots.allowAll(), KEEP_RULES);
    }
    return unreachable();
  }

  /// The meaning of no answer at all.
  public static RobotsAnswer unreachable() {
    return new RobotsAnswer(Robots.disallowAll(), KEEP_OUT);
  }
}

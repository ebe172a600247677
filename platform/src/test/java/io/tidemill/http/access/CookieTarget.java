package io.tidemill.http.access;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Any `Cookie` header leads to cookies or to none, and nobody makes up one that counts.
public final class CookieTarget {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");
  private static final ApiKey KEY = ApiKey.parse("viewer:kim:key");
  private static final SessionCookie SESSIONS =
      new SessionCookie(Duration.ofDays(7), Duration.ofDays(30));
  private static final String GOOD =
      Cookies.values(SESSIONS.made(KEY, false, NOW), SessionCookie.NAME).getFirst();

  private CookieTarget() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    var header =
        data.consumeBoolean()
            ? SessionCookie.NAME + "=" + KEY.mark() + "." + data.consumeRemainingAsString()
            : data.consumeRemainingAsString();
    check(header);
  }

  static void check(String header) {
    var values = Cookies.values(header, SessionCookie.NAME);
    if (values.size() > Cookies.MOST) throw new AssertionError(header);
    for (var value : values) {
      if (value.indexOf(';') >= 0 || !header.contains(value)) throw new AssertionError(header);
      var verdict = SESSIONS.read(value, List.of(KEY), NOW);
      if (verdict instanceof SessionCookie.CookieCheck.Of != value.equals(GOOD)) {
        throw new AssertionError(header);
      }
    }
  }
}

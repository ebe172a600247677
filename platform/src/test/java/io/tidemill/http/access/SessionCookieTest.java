package io.tidemill.http.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.strings;

import io.tidemill.http.access.SessionCookie.CookieCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionCookieTest {
  private static final Instant NOW = Instant.parse("2026-01-04T01:09:27Z");
  private static final Duration WEEK = Duration.ofDays(7);
  private static final Duration MONTH = Duration.ofDays(30);
  private static final ApiKey KIM = ApiKey.parse("viewer:kim:one");
  private static final ApiKey ALICE = ApiKey.parse("admin:alice:two");
  private static final List<ApiKey> KEYS = List.of(ALICE, KIM);

  /// What headers are made of, the awkward pieces above all.
  private static final List<String> PIECES =
      List.of("tidemill-session", "=", ";", " ", "\t", ",", "\"", "a", ".", "==", "; ", "é", "\0");

  private final SessionCookie sessions = new SessionCookie(WEEK, MONTH);
  private final String good = value(sessions.made(KIM, false, NOW));

  @Test
  void namesItsKeyUntilItEnds() {
    assertThat(read(good, NOW)).isInstanceOf(CookieCheck.Of.class);
    assertThat(of(good, NOW.plus(WEEK).minusSeconds(1)).key()).isEqualTo(KIM);
    assertThat(read(good, NOW.plus(WEEK))).isInstanceOf(CookieCheck.Ended.class);
  }

  @Test
  void doesNotHoldTheKey() {
    assertThat(good)
        .matches("[0-9a-f]{12}\\.\\d+\\.\\d+\\.[A-Za-z0-9_-]{43}")
        .doesNotContain("one");
  }

  @Test
  void endsWithItsKey() {
    assertThat(sessions.read(good, List.of(ALICE), NOW)).isInstanceOf(CookieCheck.Forged.class);
  }

  @Test
  void endsWhenSessionsAreMadeShorter() {
    var shorter = new SessionCookie(Duration.ofHours(1), MONTH);

    assertThat(shorter.read(good, KEYS, NOW)).isInstanceOf(CookieCheck.Ended.class);
    assertThat(shorter.read(good, KEYS, NOW.plus(WEEK).minusSeconds(3600)))
        .isInstanceOf(CookieCheck.Of.class);
    var limited = new SessionCookie(WEEK, Duration.ofDays(2));
    assertThat(limited.read(good, KEYS, NOW.plus(Duration.ofDays(2)).minusSeconds(1)))
        .isInstanceOf(CookieCheck.Of.class);
    assertThat(limited.read(good, KEYS, NOW.plus(Duration.ofDays(2))))
        .isInstanceOf(CookieCheck.Ended.class);
  }

  @Test
  void lastsLongerWhileItIsUsedUpToTheLimit() {
    var half = NOW.plus(WEEK.dividedBy(2));
    assertThat(sessions.renewed(of(good, NOW), NOW)).isEmpty();
    assertThat(sessions.renewed(of(good, half.minusSeconds(1)), half.minusSeconds(1))).isEmpty();

    var now = half;
    var cookie = good;
    for (int i = 0; i < 20; i++) {
      var renewed = sessions.renewed(of(cookie, now), now);
      if (renewed.isEmpty()) break;
      cookie = value(renewed.get());
      assertThat(of(cookie, now).since()).isEqualTo(NOW);
      now = now.plus(WEEK.dividedBy(2));
    }

    assertThat(of(cookie, now).expiry()).isEqualTo(NOW.plus(MONTH));
    assertThat(read(cookie, NOW.plus(MONTH))).isInstanceOf(CookieCheck.Ended.class);
  }

  @Test
  void staysSecureWhenItIsRenewed() {
    var secure = sessions.made(KIM, true, NOW);
    var later = NOW.plus(Duration.ofDays(4));

    assertThat(secure).endsWith("; Max-Age=604800; Secure");
    assertThat(sessions.renewed(of(value(secure), later), later).orElseThrow())
        .endsWith("; Max-Age=604800; Secure");
    assertThat(sessions.renewed(of(good, later), later).orElseThrow()).endsWith("; Max-Age=604800");
    assertThat(read(value(secure).replace("s.", "."), NOW)).isInstanceOf(CookieCheck.Forged.class);
  }

  @Test
  void anotherKeysSignatureIsForged() {
    var parts = good.split("\\.", -1);
    var others = value(sessions.made(ALICE, false, NOW)).split("\\.", -1);

    assertThat(read(others[0] + "." + parts[1] + "." + parts[2] + "." + parts[3], NOW))
        .isInstanceOf(CookieCheck.Forged.class);
    for (int at = 1; at <= 2; at++) {
      var changed = parts.clone();
      changed[at] = String.valueOf(Long.parseLong(parts[at]) + 1);
      assertThat(read(String.join(".", changed), NOW)).isInstanceOf(CookieCheck.Forged.class);
    }
  }

  @Test
  void noChangeOfOneCharacterCounts() {
    qt().forAll(integers().between(0, good.length() - 1), integers().between(0, 0x7f))
        .assuming((at, c) -> good.charAt(at) != c)
        .check((at, c) -> {
          var changed = new StringBuilder(good);
          changed.setCharAt(at, (char) c.intValue());
          return !(read(changed.toString(), NOW) instanceof CookieCheck.Of);
        });
  }

  @Test
  void noHeaderBreaksTheReader() {
    qt().forAll(strings().allPossible().ofLengthBetween(0, 200)).checkAssert(CookieTarget::check);
    qt().forAll(lists().of(integers().between(0, PIECES.size() - 1)).ofSizeBetween(0, 20))
        .as(numbers -> numbers.stream().map(PIECES::get).reduce("", String::concat))
        .checkAssert(CookieTarget::check);
  }

  @Test
  void findsACookieAmongAnyOthers() {
    var other = strings().betweenCodePoints(0x20, 0x7e).ofLengthBetween(0, 20);
    qt().forAll(lists().of(other).ofSizeBetween(0, 8), integers().between(0, 8))
        .assuming((others, _) -> others.stream().noneMatch(text -> text.contains(";")))
        .check((others, at) -> {
          var all = new java.util.ArrayList<>(others);
          all.add(Math.min(at, all.size()), "tidemill-session=" + good);
          return Cookies.values(String.join("; ", all), "tidemill-session").contains(good);
        });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a=1; b=2           | 1",
        "b=2;a=1            | 1",
        "a=1; a=2           | 1,2",
        "A=1; aa=2; a = 3   | 3",
        "a=x=y              | x=y",
        "a=                 | ''",
        "a; =1; ;;=         | ",
        "a=1;a=2;a=3;a=4;a=5| 1,2,3,4"
      })
  void readsCookiesAsBrowsersWriteThem(String header, String values) {
    var expected = values == null ? List.of() : List.of(values.split(",", -1));

    assertThat(Cookies.values(header, "a")).isEqualTo(expected);
  }

  private static String value(String header) {
    return Cookies.values(header, SessionCookie.NAME).getFirst();
  }

  private CookieCheck.Of of(String value, Instant now) {
    return (CookieCheck.Of) read(value, now);
  }

  private CookieCheck read(String value, Instant now) {
    return sessions.read(value, KEYS, now);
  }
}

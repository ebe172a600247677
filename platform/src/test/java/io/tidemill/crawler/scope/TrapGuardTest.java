package io.tidemill.crawler.scope;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.content.url.WebUrl;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrapGuardTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-03-01T00:00:00Z"));
  private static final TrapGuard GUARD = new TrapGuard(TrapConfig.standard(), CLOCK);

  @ParameterizedTest
  @CsvSource({ // F51
    "/a/b/a/b/a/b,                                     a path that repeats a",
    "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21, a path of 21 segments",
    "/?a&b&c&d&e&f&g&h&i&j&k&l&m,                      a query of 13 parameters",
    "/(S(abc123))/page.aspx,                           a session id in the path",
    "/?jsessionid=1&PHPSESSID=2&cftoken=3,             several session ids",
    "/calendar/2031/05/,                               a calendar at the year 2031",
    "/2031-05-17,                                      a calendar at the year 2031",
    "/events?date=20310517,                            a calendar at the year 2031",
    "/cal?month=5&year=2031,                           a calendar at the year 2031",
    "/calendar/1931/05/,                               a calendar at the year 1931"
  })
  void knowsATrapByItsUrl(String path, String why) {
    assertThat(GUARD.refusal(url(path))).hasValue(why);
  }

  @Test
  void refusesALongUrl() { // F51
    assertThat(GUARD.refusal(url("/" + "x".repeat(2_000))))
        .hasValueSatisfying(why -> assertThat(why).endsWith("characters"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/a/b/a/c",
        "/2024/01/01/1/1/1",
        "/2027/05/17/a-date-next-year",
        "/archive/1931/05/17/old-news",
        "/article/20991231",
        "/product/3000",
        "/calendar/2026/03",
        "/?sid=4&page=2",
        "/?PHPSESSID=0123456789abcdef",
        "/a?x=1&x=2&x=3&x=4"
      })
  void letsOrdinaryUrlsPass(String path) {
    assertThat(GUARD.refusal(url(path))).isEmpty();
  }

  @Test
  void followsACalendarForSoManyDates() { // F51
    var limit = new CalendarLimit(TrapConfig.standard());
    for (int i = 0; i < 400; i++) {
      assertThat(limit.refusal(url("/cal/%d/%d".formatted(1980 + i / 12, i % 12 + 1)))).isEmpty();
    }

    assertThat(limit.refusal(url("/cal/1980/1"))).isEmpty();
    assertThat(limit.refusal(url("/cal/2014/12"))).hasValue("more than 400 dates of one calendar");
    assertThat(limit.refusal(url("/other/2014/12"))).isEmpty();
    assertThat(limit.refusal(url("/cal/2014/12/a-story"))).isEmpty();
    assertThat(limit.refusal(url("/plain"))).isEmpty();
  }

  @Test
  void countsDatesThatAreSpreadOverParameters() {
    var limit = new CalendarLimit(new TrapConfig(2000, 20, 3, 12, 2, 50, 2));

    assertThat(limit.refusal(url("/c?month=1&year=2024"))).isEmpty();
    assertThat(limit.refusal(url("/c?month=2&year=2024"))).isEmpty();
    assertThat(limit.refusal(url("/c?month=3&year=2024"))).isPresent();
  }

  private static WebUrl url(String path) {
    return WebUrl.parse("https://example.org" + path).orElseThrow();
  }
}

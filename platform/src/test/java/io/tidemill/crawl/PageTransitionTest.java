package io.tidemill.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemill.crawl.VisitResult.Kind;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PageTransitionTest {
  private static final Duration DELAY = Duration.ofSeconds(5);
  private static final Duration BACKOFF = Duration.ofSeconds(20);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final PageTransition TRANSITION = new PageTransition(3, DELAY);

  private static PageLease page(int depth, int attempt) {
    var url = "http://a.test/";
    return new PageLease("item", "c1", "a.test", depth, attempt, url, url, "", "", false);
  }

  // attempt, outcome, kind, pause of the page, pause of the host, reason in the line
  static Stream<Arguments> transitions() {
    var none = Duration.ZERO;
    var skipped = new VisitOutcome.Skipped(200, "noindex");
    var failed = new VisitOutcome.Failed(404, "gone");
    var away = new VisitOutcome.Unavailable(503, "busy", none);
    var asked = new VisitOutcome.Unavailable(429, "busy", MINUTE);
    var crashed = new VisitOutcome.Crashed("broken");
    var postponed = new VisitOutcome.Postponed();
    return Stream.of(
        Arguments.of(0, new VisitOutcome.Fetched(7), Kind.FETCHED, none, none, ""),
        Arguments.of(2, new VisitOutcome.Fetched(7), Kind.FETCHED, none, none, ""),
        Arguments.of(0, skipped, Kind.SKIPPED, none, none, "noindex"),
        Arguments.of(0, failed, Kind.FAILED, none, none, "gone"),
        Arguments.of(0, away, Kind.RETRY, BACKOFF, none, ""),
        Arguments.of(1, away, Kind.RETRY, BACKOFF, none, ""),
        Arguments.of(2, away, Kind.FAILED, none, none, "busy (3 attempts)"),
        Arguments.of(7, away, Kind.FAILED, none, none, "busy (8 attempts)"),
        Arguments.of(1, asked, Kind.RETRY, MINUTE, MINUTE, ""),
        Arguments.of(2, asked, Kind.FAILED, none, none, "busy (3 attempts)"),
        Arguments.of(1, crashed, Kind.RETRY, DELAY, none, ""),
        Arguments.of(2, crashed, Kind.FAILED, none, none, "broken"),
        Arguments.of(0, postponed, Kind.LATER, DELAY, none, ""),
        Arguments.of(8, postponed, Kind.LATER, DELAY, none, ""));
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void decidesWhatBecomesOfAPage(
      int attempt, VisitOutcome outcome, Kind kind, Duration retry, Duration host, String why) {
    var end = TRANSITION.after(page(1, attempt), outcome, BACKOFF);

    assertThat(end.kind()).isEqualTo(kind);
    assertThat(end.retryAfter()).isEqualTo(retry);
    assertThat(end.hostPause()).isEqualTo(host);
    if (why.isEmpty()) assertThat(end.notes().line()).isEmpty();
    else assertThat(end.notes().line()).contains("\"reason\":\"" + why + "\"");
    assertThat(end.notes().data()).isEmpty();
  }

  @Test
  void theReasonOfTheFirstPageIsTheCrawls() {
    var failed = TRANSITION.after(page(0, 0), new VisitOutcome.Failed(404, "gone"), BACKOFF);
    var skipped = TRANSITION.after(page(0, 0), new VisitOutcome.Skipped(null, "robots"), BACKOFF);
    var crashed = TRANSITION.after(page(0, 2), new VisitOutcome.Crashed("broken"), BACKOFF);

    assertThat(failed.notes().data()).isEqualTo("{\"errorMessage\":\"gone\"}");
    assertThat(skipped.notes().data()).isEqualTo("{\"errorMessage\":\"robots\"}");
    assertThat(crashed.notes().data()).isEmpty();
  }

  @Test
  void givesUpAPageThatCrawlersDiedOfTooOften() {
    assertThat(TRANSITION.isGivenUp(page(1, 8))).isFalse();
    assertThat(TRANSITION.isGivenUp(page(1, 9))).isTrue();
  }
}

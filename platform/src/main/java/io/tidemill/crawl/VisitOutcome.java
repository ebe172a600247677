package io.tidemill.crawl;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How an attempt at a page went; [PageTransition] decides what follows.
public sealed interface VisitOutcome {
  /// The page was fetched and published.
  record Fetched(long bytes) implements VisitOutcome {}

  /// The page is not for this crawl.
  ///
  /// @param status of the host's answer; null when there was none
  record Skipped(@Nullable Integer status, String why) implements VisitOutcome {}

  /// Another attempt would fail as well.
  record Failed(@Nullable Integer status, String why) implements VisitOutcome {}

  /// Another attempt may succeed.
  ///
  /// @param hostPause how long the whole host is left alone; zero = only this page waits
  record Unavailable(@Nullable Integer status, String why, Duration hostPause)
      implements VisitOutcome {}

  /// The crawler itself failed at the page, perhaps because of what the page contains.
  record Crashed(String why) implements VisitOutcome {}

  /// A broker is away, or the crawler stops: no attempt at the page.
  record Postponed() implements VisitOutcome {}
}

package io.tidemill.crawl;

import io.tidemill.crawl.VisitOutcome.Crashed;
import io.tidemill.crawl.VisitOutcome.Failed;
import io.tidemill.crawl.VisitOutcome.Fetched;
import io.tidemill.crawl.VisitOutcome.Postponed;
import io.tidemill.crawl.VisitOutcome.Skipped;
import io.tidemill.crawl.VisitOutcome.Unavailable;
import java.time.Duration;

/// Decides what becomes of a page after an attempt at it: done, or back into the queue.
///
/// @param maxAttempts attempts after which a page has failed
/// @param delay before a page is tried again when its host is not to blame
public record PageTransition(int maxAttempts, Duration delay) {
  private static final int CRASHES_FOR_A_RETRY = 3;

  /// Whether crawlers died so often while they held the page that it is not tried again. Not each
  /// of these deaths was the page's fault (F25).
  public boolean isGivenUp(PageLease page) {
    return page.attempt() >= maxAttempts * CRASHES_FOR_A_RETRY;
  }

  /// @param backoff the pause before the next attempt, if its host asks for no longer one
  public VisitResult after(PageLease page, VisitOutcome outcome, Duration backoff) {
    return switch (outcome) {
      case Fetched(var bytes) -> VisitResult.fetched(bytes);
      case Skipped(var status, var why) ->
          withReason(
              VisitResult.skipped(PageStatusLine.skipped(page.address(), status, why)), page, why);
      case Failed(var status, var why) ->
          withReason(
              VisitResult.failed(PageStatusLine.failed(page.address(), status, why)), page, why);
      case Unavailable(var _, var _, var hostPause) when mayRetry(page) ->
          VisitResult.retry(backoff.compareTo(hostPause) > 0 ? backoff : hostPause, hostPause);
      case Unavailable(var status, var why, var _) ->
          after(
              page, new Failed(status, why + " (" + (page.attempt() + 1) + " attempts)"), backoff);
      case Crashed _ when mayRetry(page) -> VisitResult.retry(delay, Duration.ZERO);
      case Crashed(var why) -> VisitResult.failed(PageStatusLine.failed(page.address(), null, why));
      case Postponed() -> VisitResult.later(delay);
    };
  }

  private boolean mayRetry(PageLease page) {
    return page.attempt() + 1 < maxAttempts;
  }

  // What became of its first page is what a crawl without any page answers with.
  private static VisitResult withReason(VisitResult end, PageLease page, String why) {
    return page.depth() == 0 ? end.withData(CrawlTransition.failure(why)) : end;
  }
}

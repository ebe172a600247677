package io.tidemill.crawler;

import io.tidemill.content.url.WebUrl;
import io.tidemill.crawl.FrontierLink;
import io.tidemill.crawl.PageLease;
import io.tidemill.crawl.PageStatusLine;
import io.tidemill.crawl.PageTransition;
import io.tidemill.crawl.SeenPage;
import io.tidemill.crawl.VisitOutcome;
import io.tidemill.crawl.VisitResult;
import io.tidemill.crawler.scope.CrawlScopeRules;
import io.tidemill.crawler.scope.ScopeConfig;
import io.tidemill.fetch.FetchRequest;
import io.tidemill.fetch.FetchResult;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.RedirectCheck;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import io.tidemill.work.Backoff;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// One visit: may we, fetch, and what its answer means. What is in a page is [PageProcessor]'s.
final class PageVisit {
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(2);
  private static final Duration LONGEST_HOST_PAUSE = Duration.ofMinutes(10);
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private final Fetcher fetcher;
  private final SiteRules sites;
  private final FrontierLinks links;
  private final PageProcessor processor;
  private final CrawlPreview preview;
  private final CrawlerConfig config;
  private final PageTransition transition;
  private final ScopeConfig scopes;
  private final InstantSource clock;

  PageVisit(
      Fetcher fetcher,
      SiteRules sites,
      FrontierLinks links,
      PageProcessor processor,
      CrawlPreview preview,
      CrawlerConfig config,
      ScopeConfig scopes,
      InstantSource clock) {
    this.fetcher = fetcher;
    this.sites = sites;
    this.links = links;
    this.processor = processor;
    this.preview = preview;
    this.config = config;
    this.transition = config.transition();
    this.scopes = scopes;
    this.clock = clock;
  }

  /// Visits a page of a crawl.
  VisitResult visit(PageLease visit, CrawlPlan plan, CrawlMemory memory) {
    var url = WebUrl.parse(visit.address());
    if (url.isEmpty()) return failed(visit, null, "not a URL that can be fetched");
    if (transition.isGivenUp(visit)) {
      return failed(visit, null, "given up after " + visit.attempt() + " attempts");
    }
    if (plan.options().dryRun()) return preview.run(visit, plan, url.get());
    if (visit.isSeen()) return seen(visit, plan, memory);
    var rules =
        Traces.part(SpanKind.FETCH, "robots", url.get().origin(), () -> sites.of(url.get()));
    if (rules.obstacle() != null) return unreachable(visit, rules.obstacle());
    if (!rules.robots().allows(url.get())) return skipped(visit, null, "robots.txt disallows it");
    var scope = plan.scope(base(visit, plan), scopes);
    var request = request(visit, plan, url.get(), scope);
    return switch (Traces.part(SpanKind.FETCH, "fetch", url.get(), () -> fetch(request))) {
      case FetchResult.Failed failed -> unanswered(visit, failed);
      case FetchResult.Answer answer ->
          answered(new PageProcessor.Job(visit, plan, memory, scope, answer));
    };
  }

  private FetchResult fetch(FetchRequest request) {
    var fetched = fetcher.fetch(request);
    switch (fetched) {
      case FetchResult.Failed failed -> Traces.fail(failed.reason());
      case FetchResult.Answer answer -> {
        Traces.note("status", answer.status());
        Traces.note("bytes", answer.body().length);
        if (!answer.hops().isEmpty()) Traces.note("redirects", answer.hops().size());
      }
    }
    return fetched;
  }

  private VisitResult unreachable(PageLease visit, SiteRules.Obstacle obstacle) {
    return obstacle.isTransient()
        ? unavailable(visit, null, obstacle.why(), Duration.ZERO)
        : failed(visit, null, obstacle.why());
  }

  private static WebUrl base(PageLease visit, CrawlPlan plan) {
    return WebUrl.parse(visit.base()).orElse(plan.seed());
  }

  private FetchRequest request(PageLease visit, CrawlPlan plan, WebUrl url, CrawlScopeRules scope) {
    var request = FetchRequest.page(url).within(next -> refusal(visit, scope, next));
    var before = visit.seenBefore();
    // Who asks for one page wants to see it, changed or not.
    if (plan.options().isSinglePage() || plan.options().recrawl() || before.isEmpty()) {
      return request;
    }
    return request.unlessStill(
        emptyToNull(before.get().etag()), emptyToNull(before.get().lastModified()));
  }

  private static @Nullable String emptyToNull(String text) {
    return text.isEmpty() ? null : text;
  }

  // The first page may have moved; from there on redirects stay where the crawl may go.
  private Optional<RedirectCheck.Refusal> refusal(
      PageLease visit, CrawlScopeRules scope, WebUrl next) {
    if (visit.depth() > 0) {
      var outside = scope.refusal(next, visit.depth());
      if (outside.isPresent()) return refused("redirected: " + outside.get());
    }
    var rules = sites.of(next);
    if (rules.obstacle() != null) return Optional.of(refusal(rules.obstacle()));
    return rules.robots().allows(next)
        ? Optional.empty()
        : refused("redirected to where robots.txt disallows it");
  }

  private static RedirectCheck.Refusal refusal(SiteRules.Obstacle obstacle) {
    return obstacle.isTransient()
        ? new RedirectCheck.Refusal(
            "redirected to where nobody answers now: " + obstacle.why(), true)
        : new RedirectCheck.Refusal("redirected: " + obstacle.why(), false);
  }

  private static Optional<RedirectCheck.Refusal> refused(String why) {
    return Optional.of(new RedirectCheck.Refusal(why, false));
  }

  private VisitResult unanswered(PageLease visit, FetchResult.Failed failed) {
    return switch (failed.kind()) {
      case INTERRUPTED, BUSY -> after(visit, new VisitOutcome.Postponed());
      case REFUSED -> skipped(visit, null, failed.reason());
      // The whole host is away: its other pages need not be tried now.
      case CONNECT, DNS -> unavailable(visit, null, failed.reason(), backoff(visit));
      default ->
          failed.kind().isTransient()
              ? unavailable(visit, null, failed.reason(), Duration.ZERO)
              : failed(visit, null, failed.reason());
    };
  }

  private VisitResult answered(PageProcessor.Job job) {
    var visit = job.visit();
    var status = job.answer().status();
    if (status >= 200 && status < 300) return processor.page(job);
    if (status == 304) return unchanged(job);
    var why = "the host answered " + status;
    if (status == 404 || status == 410) return gone(job, why);
    if (status == TOO_MANY_REQUESTS || status == UNAVAILABLE) {
      return unavailable(visit, status, why, hostPause(visit, job.answer()));
    }
    if (status >= 500 || status == 408 || status == 425) {
      return unavailable(visit, status, why, Duration.ZERO);
    }
    return failed(visit, status, why);
  }

  private Duration hostPause(PageLease visit, FetchResult.Answer answer) {
    var asked = answer.retryAfter(clock).orElseGet(() -> backoff(visit));
    return asked.compareTo(LONGEST_HOST_PAUSE) > 0 ? LONGEST_HOST_PAUSE : asked;
  }

  private Duration backoff(PageLease visit) {
    return new Backoff(config.retryDelay(), LONGEST_RETRY)
        .after(visit.attempt() + 1, ThreadLocalRandom.current());
  }

  // C4.3: not fetched again, but the crawl goes on behind it.
  private VisitResult seen(PageLease visit, CrawlPlan plan, CrawlMemory memory) {
    var end =
        VisitResult.skipped(
            PageStatusLine.skipped(visit.address(), null, "it was crawled a short time ago"));
    var moved = visit.depth() > 0 ? "" : visit.seenBefore().map(SeenPage::movedTo).orElse("");
    var base = WebUrl.parse(moved);
    var scope = plan.scope(base.orElseGet(() -> base(visit, plan)), scopes);
    return (base.isEmpty() ? end : end.withBase(moved)).withLinks(remembered(visit, scope, memory));
  }

  // Its links are as they were: the crawl goes on behind it.
  private VisitResult unchanged(PageProcessor.Job job) {
    var visit = job.visit();
    var before = visit.seenBefore().orElse(new SeenPage("", "", "", "", List.of()));
    return VisitResult.fetched(0)
        .withLine(PageStatusLine.fetched(visit.address(), 304, "", 0, visit.depth()))
        .withLinks(remembered(visit, job.scope(), job.memory()))
        .remembering(before);
  }

  private List<FrontierLink> remembered(
      PageLease visit, CrawlScopeRules scope, CrawlMemory memory) {
    var targets =
        visit.seenBefore().map(SeenPage::links).orElse(List.of()).stream()
            .flatMap(link -> WebUrl.parse(link).stream())
            .toList();
    return links.follow(targets, visit.depth() + 1, scope, memory::isNew);
  }

  // Whatever crawl published it, and however long ago: it has to go from the index, too.
  private VisitResult gone(PageProcessor.Job job, String why) {
    var status = job.answer().status();
    processor.withdraw(job, clock.instant(), String.valueOf(status));
    return failed(job.visit(), status, why).forgetting();
  }

  private VisitResult unavailable(
      PageLease visit, @Nullable Integer status, String why, Duration hostPause) {
    return after(visit, new VisitOutcome.Unavailable(status, why, hostPause));
  }

  private VisitResult failed(PageLease visit, @Nullable Integer status, String why) {
    return after(visit, new VisitOutcome.Failed(status, why));
  }

  private VisitResult skipped(PageLease visit, @Nullable Integer status, String why) {
    return after(visit, new VisitOutcome.Skipped(status, why));
  }

  private VisitResult after(PageLease visit, VisitOutcome outcome) {
    return transition.after(visit, outcome, backoff(visit));
  }
}

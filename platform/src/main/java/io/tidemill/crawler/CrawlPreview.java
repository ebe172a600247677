package io.tidemill.crawler;

import io.tidemill.content.html.PageContent;
import io.tidemill.content.url.WebUrl;
import io.tidemill.crawl.CrawlTransition;
import io.tidemill.crawl.PageLease;
import io.tidemill.crawl.PageStatusLine;
import io.tidemill.crawl.VisitResult;
import io.tidemill.crawler.scope.CalendarLimit;
import io.tidemill.crawler.scope.CrawlScopeRules;
import io.tidemill.crawler.scope.TrapConfig;
import io.tidemill.fetch.FetchRequest;
import io.tidemill.fetch.FetchResult;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.RedirectCheck;
import io.tidemill.json.Json;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A dry run: fetches a crawl's first page under the same rules as a crawl and describes what the
/// crawl would do. Nothing is published, and the page does not count as crawled.
///
/// It describes the present: a host that is busy or away is a failure at once.
final class CrawlPreview {
  private static final int LONGEST_TEXT = 300;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;
  private static final Duration AWAY = Duration.ofSeconds(1);
  private static final Duration LONGEST_HOST_PAUSE = Duration.ofMinutes(10);
  private static final String DISALLOWED = "robots.txt disallows it";

  private final Fetcher fetcher;
  private final SiteRules sites;
  private final SitemapCrawl sitemaps;
  private final FrontierLinks links;
  private final BodyParser bodies;
  private final TrapConfig traps;
  private final InstantSource clock;

  CrawlPreview(
      Fetcher fetcher,
      SiteRules sites,
      SitemapCrawl sitemaps,
      FrontierLinks links,
      BodyParser bodies,
      TrapConfig traps,
      InstantSource clock) {
    this.fetcher = fetcher;
    this.sites = sites;
    this.sitemaps = sitemaps;
    this.links = links;
    this.bodies = bodies;
    this.traps = traps;
    this.clock = clock;
  }

  /// Fetches a crawl's first page and describes the crawl from there.
  VisitResult run(PageLease visit, CrawlPlan plan, WebUrl url) {
    var rules = sites.of(url);
    if (rules.obstacle() != null) return failed(visit, null, rules.obstacle().why(), Duration.ZERO);
    if (!rules.robots().allows(url)) return end(visit, disallowed(visit, url));
    return switch (fetcher.fetch(FetchRequest.page(url).within(this::refusal))) {
      case FetchResult.Failed failed -> unanswered(visit, failed);
      case FetchResult.Answer answer -> answered(visit, plan, answer);
    };
  }

  private Optional<RedirectCheck.Refusal> refusal(WebUrl next) {
    var rules = sites.of(next);
    if (rules.obstacle() != null) return refused("redirected: " + rules.obstacle().why());
    return rules.robots().allows(next)
        ? Optional.empty()
        : refused("redirected to where " + DISALLOWED);
  }

  private static Optional<RedirectCheck.Refusal> refused(String why) {
    return Optional.of(new RedirectCheck.Refusal(why, false));
  }

  private static VisitResult unanswered(PageLease visit, FetchResult.Failed failed) {
    return switch (failed.kind()) {
      case INTERRUPTED, BUSY -> VisitResult.later(AWAY);
      default -> failed(visit, null, failed.reason(), Duration.ZERO);
    };
  }

  private VisitResult answered(PageLease visit, CrawlPlan plan, FetchResult.Answer answer) {
    var status = answer.status();
    if (status < 200 || status >= 300) {
      return failed(visit, status, "the host answered " + status, pause(answer));
    }
    return switch (bodies.read(answer)) {
      case BodyParser.NoPage(var why) -> failed(visit, status, why, Duration.ZERO);
      case BodyParser.Page(var content) -> end(visit, preview(plan, answer, content));
    };
  }

  // What the host asks for holds for all that is crawled there.
  private Duration pause(FetchResult.Answer answer) {
    if (answer.status() != TOO_MANY_REQUESTS && answer.status() != UNAVAILABLE) {
      return Duration.ZERO;
    }
    var asked = answer.retryAfter(clock).orElse(AWAY);
    return asked.compareTo(LONGEST_HOST_PAUSE) > 0 ? LONGEST_HOST_PAUSE : asked;
  }

  private static VisitResult failed(
      PageLease visit, @Nullable Integer status, String why, Duration hostPause) {
    return VisitResult.failed(PageStatusLine.failed(visit.address(), status, why))
        .withHostPause(hostPause)
        .withData(CrawlTransition.failure(why));
  }

  // Counted as skipped: it was looked at, and is no page of any crawl.
  private static VisitResult end(PageLease visit, ObjectNode preview) {
    return VisitResult.skipped(
            PageStatusLine.skipped(visit.address(), null, "a dry run only looks"))
        .withData(CrawlTransition.preview(preview));
  }

  private ObjectNode disallowed(PageLease visit, WebUrl url) {
    var out = Json.object().put("url", url.href()).put("identity", visit.identity());
    out.set("robots", robots(url, false));
    out.putNull("page");
    out.set("links", new LinkStatistics(visit.identity()).json());
    out.putObject("sitemap").put("read", false).put("urls", 0);
    out.put("pauseMs", sites.pause(url).toMillis());
    out.putObject("estimate").put("pages", 0).put("atLeastMs", 0);
    return out;
  }

  private ObjectNode preview(CrawlPlan plan, FetchResult.Answer answer, PageContent content) {
    var url = answer.url();
    var identity = links.names(url, content.canonical()).getLast();
    var scope = plan.scope(answer.hops().isEmpty() ? plan.seed() : url, bodies.scopes());
    var census = new LinkStatistics(identity);
    count(census, url, content, scope);
    var out = Json.object().put("url", url.href()).put("identity", identity);
    out.set("robots", robots(url, true));
    out.set("page", page(answer, content));
    out.set("links", census.json());
    out.set("sitemap", sitemap(plan, url, scope, census));
    var pause = sites.pause(url).toMillis();
    out.put("pauseMs", pause);
    out.set("estimate", estimate(plan, census, pause));
    return out;
  }

  private ObjectNode robots(WebUrl url, boolean allowed) {
    var rules = sites.of(url);
    var out = Json.object().put("allowed", allowed);
    out.put("status", rules.isFound() ? "found" : "the site has none");
    var delay = rules.robots().crawlDelay();
    if (delay.isPresent()) out.put("crawlDelayMs", delay.get().toMillis());
    else out.putNull("crawlDelayMs");
    var named = out.putArray("sitemaps");
    rules.robots().sitemaps().stream().limit(20).map(LinkStatistics::shown).forEach(named::add);
    return out;
  }

  private ObjectNode page(FetchResult.Answer answer, PageContent content) {
    var out = Json.object().put("status", answer.status());
    out.put("title", shortened(content.title()));
    out.put("contentType", content.mediaType());
    out.put("text", shortened(ScrapedPage.main(content.text())));
    if (content.canonical() != null)
      out.put("canonical", LinkStatistics.shown(content.canonical()));
    if (!content.rules().mayIndex(clock.instant())) out.put("noindex", true);
    return out;
  }

  private static String shortened(String text) {
    if (text.codePointCount(0, text.length()) <= LONGEST_TEXT) return text;
    return text.substring(0, text.offsetByCodePoints(0, LONGEST_TEXT));
  }

  private void count(
      LinkStatistics census, WebUrl page, PageContent content, CrawlScopeRules scope) {
    var calendars = new CalendarLimit(traps);
    for (var link : content.links()) {
      var url = link.target().withoutFragment();
      if (!census.isNew(links.identity(url))) continue;
      var nofollow = link.nofollow() || content.rules().nofollow();
      var why =
          nofollow
              ? Optional.of("the page says nofollow")
              : refusal(page, url, scope).or(() -> calendars.refusal(url));
      why.ifPresentOrElse(reason -> census.refuse(url, reason), () -> census.follow(url));
    }
  }

  // The rules of other hosts are not known yet; only a crawl that goes there asks for them.
  private Optional<String> refusal(WebUrl page, WebUrl url, CrawlScopeRules scope) {
    return links
        .refusal(url, 1, scope)
        .or(() ->
            url.origin().equals(page.origin()) && !sites.of(page).robots().allows(url)
                ? Optional.of(DISALLOWED)
                : Optional.empty());
  }

  private ObjectNode sitemap(
      CrawlPlan plan, WebUrl page, CrawlScopeRules scope, LinkStatistics census) {
    var options = plan.options();
    var isRead = options.sitemaps() && !options.isSinglePage();
    var urls = isRead ? sitemaps.read(page, options.maxPages()) : List.<WebUrl>of();
    var before = census.followed();
    for (var url : urls) {
      var bare = url.withoutFragment();
      if (refusal(page, bare, scope).isEmpty() && census.isNew(links.identity(bare))) {
        census.follow(bare);
      }
    }
    return Json.object()
        .put("read", isRead)
        .put("urls", urls.size())
        .put("followed", census.followed() - before);
  }

  // Pages behind these are not known: it may be more, up to the crawl's limit.
  private static ObjectNode estimate(CrawlPlan plan, LinkStatistics census, long pauseMs) {
    var pages = Math.min(plan.options().maxPages(), 1 + census.followed());
    var inARow = Math.min(pages - 1, census.onOneHost());
    return Json.object().put("pages", pages).put("atLeastMs", inARow * pauseMs);
  }
}

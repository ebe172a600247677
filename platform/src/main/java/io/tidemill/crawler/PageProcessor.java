package io.tidemill.crawler;

import io.tidemill.content.fingerprint.Digest;
import io.tidemill.content.html.PageContent;
import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.collected.WebItemId;
import io.tidemill.contract.page.PageFacts;
import io.tidemill.contract.page.PageGone;
import io.tidemill.contract.page.PageMessage;
import io.tidemill.crawl.Frontier;
import io.tidemill.crawl.FrontierLink;
import io.tidemill.crawl.PageLease;
import io.tidemill.crawl.PageStatusLine;
import io.tidemill.crawl.PageTransition;
import io.tidemill.crawl.SeenPage;
import io.tidemill.crawl.VisitOutcome;
import io.tidemill.crawl.VisitResult;
import io.tidemill.crawler.scope.CrawlScopeRules;
import io.tidemill.fetch.FetchResult;
import io.tidemill.observe.SpanKind;
import io.tidemill.observe.Traces;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// Reads a fetched page: robots rules, text and links; publishes it (C4.2 to C4.5, F36).
final class PageProcessor {
  private static final int MOST_REMEMBERED_LINKS = 100;

  /// A page that answered.
  record Job(
      PageLease visit,
      CrawlPlan plan,
      CrawlMemory memory,
      CrawlScopeRules scope,
      FetchResult.Answer answer) {}

  /// The name under which a page is published, and what else it was claimed as.
  ///
  /// @param shown the URL for people, see [FrontierLinks#shown]
  private record Identity(String published, String shown, List<String> aliases) {
    // What readers of the message do not know from its `url`.
    String spelling() {
      return shown.equals(published) ? "" : shown;
    }
  }

  private final BodyParser bodies;
  private final SitemapCrawl sitemaps;
  private final FrontierLinks links;
  private final Frontier frontier;
  private final PagePublisher pages;
  private final CrawlerConfig config;
  private final PageTransition transition;
  private final InstantSource clock;

  PageProcessor(
      BodyParser bodies,
      SitemapCrawl sitemaps,
      FrontierLinks links,
      Frontier frontier,
      PagePublisher pages,
      CrawlerConfig config,
      InstantSource clock) {
    this.bodies = bodies;
    this.sitemaps = sitemaps;
    this.links = links;
    this.frontier = frontier;
    this.pages = pages;
    this.config = config;
    this.transition = config.transition();
    this.clock = clock;
  }

  /// Reads and publishes a page.
  VisitResult page(Job job) {
    var end =
        switch (Traces.part(SpanKind.CRAWL, "read text", () -> bodies.read(job.answer()))) {
          case BodyParser.NoPage(var why) -> skipped(job, why).withLinks(fromSitemaps(job));
          case BodyParser.Page(var content) -> content(job, content);
        };
    var moved = job.visit().depth() == 0 && !job.answer().hops().isEmpty();
    return moved ? end.withBase(job.answer().url().href()) : end;
  }

  private VisitResult skipped(Job job, String why) {
    var outcome = new VisitOutcome.Skipped(job.answer().status(), why);
    return transition
        .after(job.visit(), outcome, Duration.ZERO)
        .withBytes(job.answer().body().length);
  }

  private VisitResult content(Job job, PageContent content) {
    var now = clock.instant();
    var found = content.rules().nofollow() ? List.<FrontierLink>of() : found(job, content);
    if (!content.rules().mayIndex(now)) return unwanted(job, now).withLinks(found);
    var identity = identity(job, content);
    if (identity.isEmpty()) {
      return skipped(job, "another URL of the same page was crawled").withLinks(found);
    }
    return publish(job, content, identity.get(), found, now);
  }

  // It may be in the index under any of its names: all are withdrawn.
  private VisitResult unwanted(Job job, Instant now) {
    withdraw(job, now, "noindex");
    return skipped(job, "the page says noindex").forgetting();
  }

  /// Takes a page out of the index that was there under its link or under its redirect's end.
  void withdraw(Job job, Instant now, String why) {
    var names = new LinkedHashSet<String>();
    // Spelled otherwise it may be another page for its host, though it is the same name for us.
    if (isPlain(job.visit().address())) names.add(job.visit().identity());
    if (isPlain(job.answer().url().href())) names.add(links.identity(job.answer().url()));
    for (var name : names) pages.withdraw(new PageGone(name, now, why));
  }

  private static boolean isPlain(String url) {
    return url.chars().noneMatch(c -> c >= 'A' && c <= 'Z');
  }

  private Optional<Identity> identity(Job job, PageContent content) {
    var names = links.names(job.answer().url(), content.canonical());
    var published = names.getLast();
    var aliases = new ArrayList<String>();
    var options = job.plan().options();
    // Who asks for one page gets it, by whichever name it was crawled before.
    var evenIfSeen = options.isSinglePage() || options.recrawl() || options.maxAge() >= 0;
    for (var name : names) {
      if (name.equals(job.visit().identity()) || aliases.contains(name)) continue;
      if (frontier.claim(name, job.visit(), evenIfSeen)) aliases.add(name);
      else if (name.equals(published) && !options.isSinglePage()) return Optional.empty();
    }
    var shown = links.shown(job.answer().url(), content.canonical());
    return Optional.of(new Identity(published, shown, aliases));
  }

  private VisitResult publish(
      Job job, PageContent content, Identity identity, List<FrontierLink> found, Instant now) {
    var answer = job.answer();
    var wire = content.text().wire();
    var text = wire.normalised();
    var hash = Digest.sha256().add(text).hex();
    var copy = job.memory().copyOf(hash, identity.published(), text.length());
    if (copy.isPresent() && !job.plan().options().isSinglePage()) {
      return skipped(job, "the same text as " + copy.get())
          .withLinks(found)
          .withAliases(identity.aliases());
    }
    pages.publish(
        new PageMessage(
            identity.published(),
            text,
            content.title(),
            content.description(),
            now,
            answer.status()),
        new PageFacts(
            job.plan().id(),
            hash,
            content.language(),
            content.mediaType(),
            content.publishedAt(),
            identity.spelling(),
            wire.shape()));
    return noted(job, content, identity, hash, now).withLinks(found);
  }

  private VisitResult noted(
      Job job, PageContent content, Identity identity, String hash, Instant now) {
    var visit = job.visit();
    var answer = job.answer();
    var bytes = answer.body().length;
    var url = identity.published();
    var end =
        VisitResult.fetched(bytes)
            .withAliases(identity.aliases())
            .withLine(
                PageStatusLine.fetched(
                    identity.shown(), answer.status(), content.title(), bytes, visit.depth()))
            .remembering(seen(answer, content, hash));
    if (config.batches()) end = end.withKept(kept(job, identity, content, hash, now));
    if (!job.plan().options().isSinglePage()) return end;
    return end.withData(ScrapedPage.data(url, answer, content, hash, now));
  }

  private static String kept(
      Job job, Identity identity, PageContent content, String hash, Instant now) {
    var id = WebItemId.of(identity.published());
    var host = job.answer().url().host();
    return ScrapedPage.kept(id, identity.shown(), host, content, hash, now);
  }

  private static SeenPage seen(FetchResult.Answer answer, PageContent content, String hash) {
    var targets = targets(content).stream().map(WebUrl::href).distinct().toList();
    var moved = answer.hops().isEmpty() ? "" : answer.url().href();
    // After a 304 the crawl goes on behind the remembered links: without all of them, no version.
    if (targets.size() > MOST_REMEMBERED_LINKS) {
      return new SeenPage("", "", hash, moved, targets.subList(0, MOST_REMEMBERED_LINKS));
    }
    var etag = answer.headers().first("ETag").orElse("");
    var modified = answer.headers().first("Last-Modified").orElse("");
    return new SeenPage(etag, modified, hash, moved, targets);
  }

  private static List<WebUrl> targets(PageContent content) {
    if (content.rules().nofollow()) return List.of();
    return content.links().stream()
        .filter(link -> !link.nofollow())
        .map(link -> link.target())
        .toList();
  }

  private List<FrontierLink> found(Job job, PageContent content) {
    var options = job.plan().options();
    var depth = job.visit().depth() + 1;
    if (options.isSinglePage()) return List.of();
    var urls = job.memory().withoutCalendars(targets(content));
    var isTrap = job.memory().isTrap(job.answer().url(), content.text().readable());
    var scope = scope(job);
    var found =
        isTrap || depth > options.maxDepth()
            ? new ArrayList<FrontierLink>()
            : new ArrayList<>(links.follow(urls, depth, scope, job.memory()::isNew));
    found.addAll(fromSitemaps(job));
    return found;
  }

  private List<FrontierLink> fromSitemaps(Job job) {
    var options = job.plan().options();
    if (job.visit().depth() > 0 || !options.sitemaps() || options.isSinglePage()) return List.of();
    var urls =
        Traces.part(
            SpanKind.FETCH,
            "sitemaps",
            () -> sitemaps.read(job.answer().url(), options.maxPages()));
    return links.follow(urls, 1, scope(job), job.memory()::isNew);
  }

  // The first page decides what the crawl is about: if it moved, the crawl moves with it.
  private CrawlScopeRules scope(Job job) {
    var moved = job.visit().depth() == 0 && !job.answer().hops().isEmpty();
    return moved ? job.plan().scope(job.answer().url(), bodies.scopes()) : job.scope();
  }
}

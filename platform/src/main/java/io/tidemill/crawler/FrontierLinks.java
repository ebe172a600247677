package io.tidemill.crawler;

import io.tidemill.content.url.UrlNormaliser;
import io.tidemill.content.url.WebUrl;
import io.tidemill.crawl.FrontierLink;
import io.tidemill.crawler.scope.CrawlScopeRules;
import io.tidemill.crawler.scope.TrapGuard;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Turns URLs into links of the frontier: host and page identity (C4.4).
public final class FrontierLinks {
  private final UrlNormaliser normaliser;
  private final TrapGuard traps;

  public FrontierLinks(UrlNormaliser normaliser, TrapGuard traps) {
    this.normaliser = normaliser;
    this.traps = traps;
  }

  /// The page's identity (C4.4).
  String identity(WebUrl url) {
    return normaliser.normalise(url);
  }

  /// The names of a page, the one that it is published under last: a redirect's end and a canonical
  /// link on the same host name it better than its link did.
  List<String> names(WebUrl place, @Nullable String canonical) {
    var names = new ArrayList<String>();
    names.add(identity(place));
    own(place, canonical).map(this::identity).ifPresent(names::add);
    return names;
  }

  /// The URL that people open, spelled as the page was fetched, or as its canonical link is where
  /// that names another URL.
  String shown(WebUrl place, @Nullable String canonical) {
    return own(place, canonical)
        .filter(url -> !identity(url).equals(identity(place)))
        .orElse(place)
        .withoutFragment()
        .href();
  }

  private static Optional<WebUrl> own(WebUrl place, @Nullable String canonical) {
    return Optional.ofNullable(canonical)
        .flatMap(WebUrl::parse)
        .filter(url -> url.host().equals(place.host()));
  }

  /// The host that pauses are kept for, with its port when it is not the default.
  static String host(WebUrl url) {
    return url.port() < 0 ? url.host() : url.host() + ":" + url.port();
  }

  FrontierLink first(WebUrl seed) {
    return link(seed.withoutFragment(), 0);
  }

  private FrontierLink link(WebUrl url, int depth) {
    return new FrontierLink(host(url), depth, identity(url), url.href());
  }

  /// Why a URL is not followed, in words; empty when it is.
  Optional<String> refusal(WebUrl url, int depth, CrawlScopeRules scope) {
    return scope.refusal(url, depth).or(() -> traps.refusal(url));
  }

  /// Those that the crawl may follow, each once.
  ///
  /// @param isNew whether the crawl has not met this identity, as far as we know here
  List<FrontierLink> follow(
      List<WebUrl> urls, int depth, CrawlScopeRules scope, Predicate<String> isNew) {
    var found = new ArrayList<FrontierLink>();
    var seen = new HashSet<String>();
    for (var url : urls) {
      if (refusal(url, depth, scope).isPresent()) continue;
      var link = link(url.withoutFragment(), depth);
      if (seen.add(link.identity()) && isNew.test(link.identity())) found.add(link);
    }
    return found;
  }
}

package io.tidemill.crawler;

import io.tidemill.content.sitemap.SitemapReader;
import io.tidemill.content.url.WebUrl;
import io.tidemill.fetch.FetchRequest;
import io.tidemill.fetch.FetchResult;
import io.tidemill.fetch.Fetcher;
import io.tidemill.fetch.RegistrableDomain;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Reads a site's own lists of its pages, as robots.txt names them or at the usual place.
final class SitemapCrawl {
  private static final int MOST_FILES = 50;
  private static final int DEEPEST = 2;
  private static final int MOST_URLS = 50_000;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private record Place(WebUrl url, int depth) {}

  private final Fetcher fetcher;
  private final SiteRules sites;

  SitemapCrawl(Fetcher fetcher, SiteRules sites) {
    this.fetcher = fetcher;
    this.sites = sites;
  }

  /// Pages that the site lists, about as many as wanted.
  List<WebUrl> read(WebUrl page, int wanted) {
    var places = new ArrayDeque<Place>();
    for (var url : starts(page)) places.add(new Place(url, 1));
    var visited = new HashSet<String>();
    var found = new ArrayList<WebUrl>();
    var most = Math.min(2L * wanted, MOST_URLS);
    var deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!places.isEmpty() && visited.size() < MOST_FILES && found.size() < most) {
      if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) break;
      var place = places.poll();
      if (!visited.add(place.url().href()) || !mayRead(page, place.url())) continue;
      if (visited.size() > 1) pause(sites.pause(place.url()));
      if (fetcher.fetch(FetchRequest.anything(place.url())) instanceof FetchResult.Answer answer
          && answer.status() == 200) {
        var map = SitemapReader.parse(answer.body(), answer.url());
        map.entries().stream().limit(most - found.size()).forEach(entry -> found.add(entry.url()));
        if (place.depth() < DEEPEST) {
          map.children().forEach(child -> places.add(new Place(child, place.depth() + 1)));
        }
      }
    }
    return found;
  }

  // A robots.txt can't send the crawler to sitemaps of other sites (F51).
  private boolean mayRead(WebUrl page, WebUrl sitemap) {
    return RegistrableDomain.of(sitemap).equals(RegistrableDomain.of(page))
        && sites.of(sitemap).robots().allows(sitemap);
  }

  private static void pause(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    }
  }

  private List<WebUrl> starts(WebUrl page) {
    var named =
        sites.of(page).robots().sitemaps().stream()
            .flatMap(text -> page.resolve(text).stream())
            .toList();
    return named.isEmpty() ? page.resolve("/sitemap.xml").stream().toList() : named;
  }
}

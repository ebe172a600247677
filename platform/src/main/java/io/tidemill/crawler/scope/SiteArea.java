package io.tidemill.crawler.scope;

import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.CrawlScope;
import io.tidemill.fetch.RegistrableDomain;

/// The part of the web that a crawl may see.
sealed interface SiteArea {
  boolean holds(WebUrl url);

  /// What it is, in words.
  String name();

  static SiteArea of(CrawlScope scope, WebUrl seed) {
    return switch (scope) {
      case HOST -> new Host(bare(seed.host()), seed.port());
      case DOMAIN -> new Domain(RegistrableDomain.of(seed));
      case PREFIX ->
          new Prefix(
              new Host(bare(seed.host()), seed.port()),
              seed.path().substring(0, seed.path().lastIndexOf('/') + 1));
    };
  }

  private static String bare(String host) {
    return host.startsWith("www.") ? host.substring(4) : host;
  }

  /// @param port -1 for the scheme's own, so that `https` is no other place than `http`
  record Host(String host, int port) implements SiteArea {
    @Override
    public boolean holds(WebUrl url) {
      return url.port() == port && bare(url.host()).equals(host);
    }

    @Override
    public String name() {
      return "host " + host + (port < 0 ? "" : ":" + port);
    }
  }

  record Domain(String domain) implements SiteArea {
    @Override
    public boolean holds(WebUrl url) {
      var host = url.host();
      if (host.equals(domain)) return true;
      // `a.github.io` ends like `github.io`, but has another owner.
      return host.endsWith(domain)
          && host.charAt(host.length() - domain.length() - 1) == '.'
          && RegistrableDomain.of(url).equals(domain);
    }

    @Override
    public String name() {
      return "domain " + domain;
    }
  }

  record Prefix(Host host, String folder) implements SiteArea {
    @Override
    public boolean holds(WebUrl url) {
      return host.holds(url) && url.path().startsWith(folder);
    }

    @Override
    public String name() {
      return "folder " + folder + " of " + host.name();
    }
  }
}

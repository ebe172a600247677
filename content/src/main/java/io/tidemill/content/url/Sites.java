package io.tidemill.content.url;

import crawlercommons.domains.EffectiveTldFinder;

/// Which site a URL belongs to, by host and by the domain that somebody registered.
public final class Sites {
  private Sites() {}

  /// The host: what politeness, robots.txt and budgets are kept for.
  public static String site(WebUrl url) {
    return url.host();
  }

  /// The registered domain, `example.co.uk` for `www.example.co.uk`, by the public suffix list.
  ///
  /// An IP address, a lone name such as `localhost` and a public suffix are their own domain.
  public static String registrableDomain(WebUrl url) {
    var host = url.host();
    if (host.startsWith("[") || IpNumbers.endsInNumber(host)) return host;
    var domain = EffectiveTldFinder.getAssignedDomain(host, true, false);
    if (domain != null && !domain.isEmpty()) return domain;
    return EffectiveTldFinder.getEffectiveTLD(host, false) == null ? lastTwo(host) : host;
  }

  /// The list's own rule for an ending that it does not hold.
  private static String lastTwo(String host) {
    int last = host.lastIndexOf('.');
    return last < 0 ? host : host.substring(host.lastIndexOf('.', last - 1) + 1);
  }
}

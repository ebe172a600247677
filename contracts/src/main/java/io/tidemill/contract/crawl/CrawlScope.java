package io.tidemill.contract.crawl;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/// How far from its first page a crawl may go.
public enum CrawlScope {
  /// The same host.
  HOST,
  /// The same registrable domain, with all its subdomains.
  DOMAIN,
  /// Below the folder of the first page.
  PREFIX;

  /// Every name, for messages.
  public static final String NAMES =
      Arrays.stream(values()).map(CrawlScope::wire).collect(Collectors.joining(", "));

  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<CrawlScope> of(String wire) {
    return Arrays.stream(values()).filter(scope -> scope.wire().equals(wire)).findFirst();
  }
}

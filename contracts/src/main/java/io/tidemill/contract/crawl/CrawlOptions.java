package io.tidemill.contract.crawl;

import java.util.List;

/// What a crawl may do beyond its first page (C1.5).
///
/// @param maxPages pages that are fetched at most
/// @param maxDepth links away from the first page
/// @param include patterns (RE2) of which one must match a URL; none = all
/// @param exclude patterns (RE2) of which none may match
/// @param sitemaps whether the site's own list of pages is read as well
/// @param maxBytes of all bodies together; 0 = no limit
/// @param maxSeconds from start to end; 0 = no limit
/// @param recrawl whether pages that were crawled a short time ago are fetched again
/// @param project the name under which batches are kept (C5.7); empty = none given
/// @param maxAge how old, in seconds, what we have of a page may be to be used instead of fetching
///   it; -1 = as old as the crawlers keep it
/// @param dryRun whether the crawl is only described: nothing is published or remembered
public record CrawlOptions(
    int maxPages,
    int maxDepth,
    List<String> include,
    List<String> exclude,
    CrawlScope scope,
    boolean sitemaps,
    long maxBytes,
    long maxSeconds,
    boolean recrawl,
    String project,
    boolean dryRun,
    long maxAge) {
  /// One page and nothing else: what the contract's own message asks for.
  public static final CrawlOptions SINGLE =
      new CrawlOptions(
          1, 0, List.of(), List.of(), CrawlScope.HOST, false, 0, 0, false, "", false, -1);

  /// One page, even if it was crawled a short time ago.
  public static final CrawlOptions SINGLE_AGAIN =
      new CrawlOptions(
          1, 0, List.of(), List.of(), CrawlScope.HOST, false, 0, 0, true, "", false, -1);

  public CrawlOptions {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
  }

  /// Whether this is a crawl of one page only.
  public boolean isSinglePage() {
    return maxPages == 1;
  }
}

package io.tidemill.crawler.scope;

import io.tidemill.content.url.WebUrl;
import io.tidemill.contract.crawl.CrawlOptions;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Decides where one crawl may go.
public final class CrawlScopeRules {
  private static final int LONGEST_EXTENSION = 8;

  private final SiteArea area;
  private final int maxDepth;
  private final UrlPatterns include;
  private final UrlPatterns exclude;
  private final Set<String> skipped;

  /// The scope of a crawl.
  ///
  /// @throws IllegalArgumentException naming the field and the pattern that can't be used
  public CrawlScopeRules(WebUrl seed, CrawlOptions options, ScopeConfig config) {
    this.area = SiteArea.of(options.scope(), seed);
    this.maxDepth = options.maxDepth();
    this.include = UrlPatterns.compile("include", options.include());
    this.exclude = UrlPatterns.compile("exclude", options.exclude());
    this.skipped = new HashSet<>(config.skipExtensions());
  }

  /// Why a link is not followed, in words; empty when it is.
  ///
  /// @param depth links from the seed; the seed itself, 0, need not match `include`
  public Optional<String> refusal(WebUrl url, int depth) {
    if (depth > maxDepth) {
      return Optional.of("depth %d is beyond the limit of %d".formatted(depth, maxDepth));
    }
    if (!area.holds(url)) return Optional.of("outside the " + area.name());
    var extension = extension(url.path());
    if (skipped.contains(extension)) return Optional.of("files of type " + extension);
    return byPattern(url, depth);
  }

  private Optional<String> byPattern(WebUrl url, int depth) {
    if (exclude.isEmpty() && (depth == 0 || include.isEmpty())) return Optional.empty();
    var href = url.withoutFragment().href();
    var excluded = exclude.found(href);
    if (excluded != null) return Optional.of("excluded by " + excluded);
    if (depth == 0 || include.isEmpty() || include.found(href) != null) return Optional.empty();
    return Optional.of("matches no include pattern");
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    int length = path.length() - dot - 1;
    if (dot < 0 || length > LONGEST_EXTENSION || path.indexOf('/', dot) >= 0) return "";
    return path.substring(dot + 1).toLowerCase(Locale.ROOT);
  }
}

package io.tidemill.content.robots;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a page asks of crawlers, in its `meta` elements and `X-Robots-Tag` headers; of rules that
/// contradict each other the stricter one holds.
///
/// `none` is both `noindex` and `nofollow`.
///
/// @param unavailableAfterAt when the page stops being one; null without such a rule
public record PageRules(
    boolean noindex, boolean nofollow, boolean noarchive, @Nullable Instant unavailableAfterAt) {

  /// A `meta` element of a page.
  ///
  /// @param name `robots`, or the crawler that is meant
  public record Meta(String name, String content) {}

  /// The rules of a page that gives none.
  public static final PageRules NONE = new PageRules(false, false, false, null);

  /// The rules for one crawler.
  ///
  /// @param agent the crawler's product token
  public static PageRules of(List<Meta> metas, List<String> xRobotsTags, String agent) {
    if (metas.isEmpty() && xRobotsTags.isEmpty()) return NONE;
    var parser = new PageRulesParser(agent);
    for (var meta : metas) parser.meta(meta.name(), meta.content());
    for (var tag : xRobotsTags) parser.header(tag);
    return parser.rules();
  }

  /// Whether both `noindex` and `nofollow` hold.
  public boolean none() {
    return noindex && nofollow;
  }

  /// When the page stops being one.
  public Optional<Instant> unavailableAfter() {
    return Optional.ofNullable(unavailableAfterAt);
  }

  /// Whether the page may be kept for searching at this time.
  public boolean mayIndex(Instant at) {
    return !noindex && (unavailableAfterAt == null || at.isBefore(unavailableAfterAt));
  }
}

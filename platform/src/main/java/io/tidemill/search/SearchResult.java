package io.tidemill.search;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The result of a search.
///
/// @param total pages that match, as far as they were counted
/// @param timedOut whether it is partial
/// @param mode keyword also when there are no vectors yet
public record SearchResult(
    long total,
    int page,
    int size,
    long tookMs,
    List<Hit> hits,
    Facets facets,
    Optional<String> didYouMean,
    boolean timedOut,
    SearchQuery.Mode mode) {
  /// One page of the index.
  ///
  /// @param url as the page was fetched, for people to open (C4.4)
  /// @param identity the normalised URL that the index knows it by
  /// @param title plain text
  /// @param titleHighlighted HTML: escaped, what matches in `<em>`
  /// @param snippet HTML: escaped, what matches in `<em>`
  /// @param passage the part nearest to the question; empty when the page was found by words alone
  /// @param similarity of that passage: 1 = the same meaning; 0 without passage
  /// @param why the score in sentences; empty unless asked for
  public record Hit(
      String url,
      String identity,
      String title,
      String titleHighlighted,
      String snippet,
      double score,
      String site,
      String language,
      String type,
      String crawlId,
      Instant fetchedAt,
      @Nullable Instant publishedAt,
      String contentHash,
      String messageId,
      int statusCode,
      String passage,
      double similarity,
      List<String> why) {}

  /// How many of the pages found have which value.
  public record Count(String value, long count) {}

  /// The most frequent values among all pages found.
  ///
  /// @param date pages of the last day, week, month and year, each with those before it, and older
  public record Facets(List<Count> site, List<Count> language, List<Count> type, List<Count> date) {
    public static final Facets NONE = new Facets(List.of(), List.of(), List.of(), List.of());
  }
}

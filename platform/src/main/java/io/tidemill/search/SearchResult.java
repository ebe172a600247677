package io.tidemill.search;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What was found.
///
/// @param total pages that match, as far as they were counted
/// @param timedOut whether there may be more than what is here
/// @param mode how they were found: by words alone also when there are no vectors yet
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
  /// One page.
  ///
  /// @param title plain text
  /// @param titleHighlighted HTML: escaped, what matches in `<em>`
  /// @param snippet HTML: escaped, what matches in `<em>`
  /// @param passage the part of the page that means most nearly what was asked; empty when the page
  ///   was found by its words alone
  /// @param similarity of that passage: 1 = means the same; 0 when there is none
  /// @param why sentences on how the score came about; empty when nobody asked
  public record Hit(
      String url,
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

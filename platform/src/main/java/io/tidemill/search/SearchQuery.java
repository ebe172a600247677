package io.tidemill.search;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A search.
///
/// @param text as typed; see [QueryParser]
/// @param site a host, with its subdomains; empty = all
/// @param language ISO 639-1; empty = all
/// @param type media type, or its last part such as `pdf`; empty = all
/// @param from earliest date of a page
/// @param to the end of the dates, exclusive
/// @param page the first is 1
/// @param size hits on a page
/// @param explain whether each hit explains its score
/// @param mode how pages are found
public record SearchQuery(
    String text,
    String site,
    String language,
    String type,
    @Nullable Instant from,
    @Nullable Instant to,
    int page,
    int size,
    Order order,
    boolean explain,
    Mode mode) {
  /// How pages are found.
  public enum Mode {
    /// By words, and by meaning where there are vectors.
    HYBRID,
    /// By words alone.
    KEYWORD
  }

  public enum Order {
    RELEVANCE,
    NEWEST
  }

  public SearchQuery {
    if (page < 1) throw new IllegalArgumentException("page is " + page + ": expected at least 1");
    if (size < 1) throw new IllegalArgumentException("size is " + size + ": expected at least 1");
  }

  /// The first page of results, without filters.
  public static SearchQuery of(String text) {
    return new SearchQuery(
        text, "", "", "", null, null, 1, 10, Order.RELEVANCE, false, Mode.HYBRID);
  }

  /// The same for another page of results.
  public SearchQuery page(int number, int hits) {
    return new SearchQuery(
        text, site, language, type, from, to, number, hits, order, explain, mode);
  }

  /// The same in another mode.
  public SearchQuery by(Mode other) {
    return new SearchQuery(text, site, language, type, from, to, page, size, order, explain, other);
  }

  /// The same with filters; empty = all.
  public SearchQuery in(String oneSite, String oneLanguage, String oneType) {
    return new SearchQuery(
        text, oneSite, oneLanguage, oneType, from, to, page, size, order, explain, mode);
  }
}

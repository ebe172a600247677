package io.tidemill.fetch;

import io.tidemill.content.url.WebUrl;
import org.jspecify.annotations.Nullable;

/// One URL to fetch, and how.
///
/// @param etag fetch only if it is no longer this version
/// @param lastModified fetch only if it changed since, as the host wrote that date
/// @param accept the `Accept` field
/// @param maxBytes the largest body that is wanted, unpacked; `fetch.max-body` holds as well
/// @param cutsLong whether of a longer body the beginning is wanted; else it is a failure
/// @param hops asked before each redirect is followed
public record FetchRequest(
    WebUrl url,
    @Nullable String etag,
    @Nullable String lastModified,
    String accept,
    long maxBytes,
    boolean cutsLong,
    RedirectCheck hops) {
  private static final String PAGES =
      "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  private static final String TEXT = "text/plain,*/*;q=0.5";
  private static final String ANYTHING = "*/*";

  /// What RFC 9309 asks a crawler to read of a `robots.txt` at least.
  private static final long ROBOTS_BYTES = 500 * 1024;

  public FetchRequest {
    if (maxBytes < 0) throw new IllegalArgumentException("maxBytes is " + maxBytes);
  }

  /// A page, as large as the settings allow.
  public static FetchRequest page(WebUrl url) {
    return new FetchRequest(url, null, null, PAGES, Long.MAX_VALUE, false, RedirectCheck.ANYWHERE);
  }

  /// A `robots.txt`: the first 500 KiB of it (F51).
  public static FetchRequest robots(WebUrl url) {
    return new FetchRequest(url, null, null, TEXT, ROBOTS_BYTES, true, RedirectCheck.ANYWHERE);
  }

  /// Anything, as large as the settings allow.
  public static FetchRequest anything(WebUrl url) {
    return new FetchRequest(
        url, null, null, ANYTHING, Long.MAX_VALUE, false, RedirectCheck.ANYWHERE);
  }

  /// The same, answered with 304 when nothing changed.
  public FetchRequest unlessStill(@Nullable String etag, @Nullable String lastModified) {
    return new FetchRequest(url, etag, lastModified, accept, maxBytes, cutsLong, hops);
  }

  /// The same, following only redirects that the check lets through.
  public FetchRequest within(RedirectCheck hops) {
    return new FetchRequest(url, etag, lastModified, accept, maxBytes, cutsLong, hops);
  }

  /// The same with another `Accept` field.
  public FetchRequest accepting(String accept) {
    return new FetchRequest(url, etag, lastModified, accept, maxBytes, cutsLong, hops);
  }

  /// The same; a longer body is a failure.
  public FetchRequest atMost(long maxBytes) {
    return new FetchRequest(url, etag, lastModified, accept, maxBytes, false, hops);
  }

  /// The same; of a longer body, only the beginning comes.
  public FetchRequest first(long maxBytes) {
    return new FetchRequest(url, etag, lastModified, accept, maxBytes, true, hops);
  }
}

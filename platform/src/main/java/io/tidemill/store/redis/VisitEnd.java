package io.tidemill.store.redis;

import java.time.Duration;
import java.util.List;

/// What came of a visit.
///
/// @param bytes of the body
/// @param retryAfter how long to wait before the next attempt, when there is one
/// @param hostPause how long the whole host is left alone; zero = it goes on
/// @param data what a crawl of one page answers with, as JSON; empty = nothing to say
/// @param line about the page, as JSON, for the crawl's list of pages; empty = none
/// @param base where the crawl's first page really is; empty = as it was
/// @param aliases further identities of the same page, claimed before
public record VisitEnd(
    Kind kind,
    long bytes,
    Duration retryAfter,
    Duration hostPause,
    String data,
    String line,
    String base,
    List<String> aliases,
    List<FoundLink> links) {
  /// How the page is counted.
  public enum Kind {
    FETCHED,
    SKIPPED,
    FAILED,
    RETRY
  }

  public VisitEnd {
    aliases = List.copyOf(aliases);
    links = List.copyOf(links);
  }

  /// A page that was fetched and published.
  public static VisitEnd fetched(long bytes) {
    return of(Kind.FETCHED, bytes);
  }

  /// A page that is not for us.
  ///
  /// @param line says why
  public static VisitEnd skipped(String line) {
    return of(Kind.SKIPPED, 0).withLine(line);
  }

  /// A page that could not be had.
  public static VisitEnd failed(String line) {
    return of(Kind.FAILED, 0).withLine(line);
  }

  /// A page to try once more.
  public static VisitEnd retry(Duration after, Duration hostPause) {
    return new VisitEnd(Kind.RETRY, 0, after, hostPause, "", "", "", List.of(), List.of());
  }

  private static VisitEnd of(Kind kind, long bytes) {
    return new VisitEnd(
        kind, bytes, Duration.ZERO, Duration.ZERO, "", "", "", List.of(), List.of());
  }

  public VisitEnd withLine(String json) {
    return new VisitEnd(kind, bytes, retryAfter, hostPause, data, json, base, aliases, links);
  }

  public VisitEnd withData(String json) {
    return new VisitEnd(kind, bytes, retryAfter, hostPause, json, line, base, aliases, links);
  }

  public VisitEnd withBase(String url) {
    return new VisitEnd(kind, bytes, retryAfter, hostPause, data, line, url, aliases, links);
  }

  public VisitEnd withAliases(List<String> identities) {
    return new VisitEnd(kind, bytes, retryAfter, hostPause, data, line, base, identities, links);
  }

  public VisitEnd withLinks(List<FoundLink> found) {
    return new VisitEnd(kind, bytes, retryAfter, hostPause, data, line, base, aliases, found);
  }

  public VisitEnd withBytes(long count) {
    return new VisitEnd(kind, count, retryAfter, hostPause, data, line, base, aliases, links);
  }
}

package io.tidemill.crawl;

import java.time.Duration;
import java.util.List;

/// The end of a visit, as the frontier records it.
///
/// @param bytes of the body
/// @param retryAfter how long to wait before the next attempt, when there is one
/// @param hostPause how long no page of the host is fetched; zero = no pause
/// @param notes what is stored of it
/// @param aliases further identities of the same page, claimed before
public record VisitResult(
    Kind kind,
    long bytes,
    Duration retryAfter,
    Duration hostPause,
    Notes notes,
    List<String> aliases,
    List<FrontierLink> links) {
  /// How the page is counted.
  public enum Kind {
    FETCHED,
    SKIPPED,
    FAILED,
    RETRY,
    LATER
  }

  /// Values for the records of the crawl; empty = none.
  ///
  /// @param data for the crawl's response, as JSON, see [CrawlTransition]
  /// @param line about the page, as JSON, for the crawl's list of pages
  /// @param base the URL of the crawl's first page behind redirects
  /// @param kept the page as an item of a batch, as JSON (C5.7)
  /// @param memory the version for later crawls, see [SeenPage]; `-` = forget it
  public record Notes(String data, String line, String base, String kept, String memory) {
    static final Notes NONE = new Notes("", "", "", "", "");
    static final String FORGET = "-";

    // The first two lines are the version; see SeenPage.
    boolean hasVersion() {
      return !memory.startsWith("\n\n");
    }
  }

  public VisitResult {
    aliases = List.copyOf(aliases);
    links = List.copyOf(links);
  }

  /// A page that was fetched and published.
  public static VisitResult fetched(long bytes) {
    return of(Kind.FETCHED, bytes);
  }

  /// A page that is not part of the crawl.
  ///
  /// @param line says why
  public static VisitResult skipped(String line) {
    return of(Kind.SKIPPED, 0).withLine(line);
  }

  /// A page that could not be fetched.
  public static VisitResult failed(String line) {
    return of(Kind.FAILED, 0).withLine(line);
  }

  /// A page to try once more.
  public static VisitResult retry(Duration after, Duration hostPause) {
    return new VisitResult(Kind.RETRY, 0, after, hostPause, Notes.NONE, List.of(), List.of());
  }

  /// A page that could not be visited for reasons of our own: it does not count as an attempt.
  public static VisitResult later(Duration after) {
    return new VisitResult(Kind.LATER, 0, after, Duration.ZERO, Notes.NONE, List.of(), List.of());
  }

  private static VisitResult of(Kind kind, long bytes) {
    return new VisitResult(
        kind, bytes, Duration.ZERO, Duration.ZERO, Notes.NONE, List.of(), List.of());
  }

  private VisitResult with(Notes other) {
    return new VisitResult(kind, bytes, retryAfter, hostPause, other, aliases, links);
  }

  public VisitResult withLine(String json) {
    return with(new Notes(notes.data, json, notes.base, notes.kept, notes.memory));
  }

  public VisitResult withData(String json) {
    return with(new Notes(json, notes.line, notes.base, notes.kept, notes.memory));
  }

  public VisitResult withBase(String url) {
    return with(new Notes(notes.data, notes.line, url, notes.kept, notes.memory));
  }

  public VisitResult withKept(String json) {
    return with(new Notes(notes.data, notes.line, notes.base, json, notes.memory));
  }

  /// Remembers the page for later crawls.
  public VisitResult remembering(SeenPage seen) {
    return with(new Notes(notes.data, notes.line, notes.base, notes.kept, seen.encode()));
  }

  /// Forgets the page: it is gone.
  public VisitResult forgetting() {
    return with(new Notes(notes.data, notes.line, notes.base, notes.kept, Notes.FORGET));
  }

  public VisitResult withAliases(List<String> identities) {
    return new VisitResult(kind, bytes, retryAfter, hostPause, notes, identities, links);
  }

  public VisitResult withLinks(List<FrontierLink> found) {
    return new VisitResult(kind, bytes, retryAfter, hostPause, notes, aliases, found);
  }

  /// The same; the whole host is left alone for so long.
  public VisitResult withHostPause(Duration pause) {
    return new VisitResult(kind, bytes, retryAfter, pause, notes, aliases, links);
  }

  public VisitResult withBytes(long count) {
    return new VisitResult(kind, count, retryAfter, hostPause, notes, aliases, links);
  }
}

package io.tidemill.crawl;

import java.time.Duration;
import java.util.List;

/// What came of a visit.
///
/// @param bytes of the body
/// @param retryAfter how long to wait before the next attempt, when there is one
/// @param hostPause how long the whole host is left alone; zero = it goes on
/// @param words what is to be remembered of it
/// @param aliases further identities of the same page, claimed before
public record VisitResult(
    Kind kind,
    long bytes,
    Duration retryAfter,
    Duration hostPause,
    Words words,
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

  /// Texts for the crawl's records; empty = nothing to say.
  ///
  /// @param data what a crawl of one page answers with, as JSON
  /// @param line about the page, as JSON, for the crawl's list of pages
  /// @param base where the crawl's first page really is
  /// @param kept of the page for its crawl's batches, as JSON (C5.7)
  /// @param memory of the page for later crawls; `-` = forget it
  public record Words(String data, String line, String base, String kept, String memory) {
    static final Words NONE = new Words("", "", "", "", "");
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

  /// A page that is not for us.
  ///
  /// @param line says why
  public static VisitResult skipped(String line) {
    return of(Kind.SKIPPED, 0).withLine(line);
  }

  /// A page that could not be had.
  public static VisitResult failed(String line) {
    return of(Kind.FAILED, 0).withLine(line);
  }

  /// A page to try once more.
  public static VisitResult retry(Duration after, Duration hostPause) {
    return new VisitResult(Kind.RETRY, 0, after, hostPause, Words.NONE, List.of(), List.of());
  }

  /// A page that could not be worked off for reasons of our own: no attempt at it.
  public static VisitResult later(Duration after) {
    return new VisitResult(Kind.LATER, 0, after, Duration.ZERO, Words.NONE, List.of(), List.of());
  }

  private static VisitResult of(Kind kind, long bytes) {
    return new VisitResult(
        kind, bytes, Duration.ZERO, Duration.ZERO, Words.NONE, List.of(), List.of());
  }

  private VisitResult with(Words other) {
    return new VisitResult(kind, bytes, retryAfter, hostPause, other, aliases, links);
  }

  public VisitResult withLine(String json) {
    return with(new Words(words.data, json, words.base, words.kept, words.memory));
  }

  public VisitResult withData(String json) {
    return with(new Words(json, words.line, words.base, words.kept, words.memory));
  }

  public VisitResult withBase(String url) {
    return with(new Words(words.data, words.line, url, words.kept, words.memory));
  }

  public VisitResult withKept(String json) {
    return with(new Words(words.data, words.line, words.base, json, words.memory));
  }

  /// Remembers the page for later crawls.
  public VisitResult remembering(SeenPage seen) {
    return with(new Words(words.data, words.line, words.base, words.kept, seen.encode()));
  }

  /// Forgets the page: it is gone.
  public VisitResult forgetting() {
    return with(new Words(words.data, words.line, words.base, words.kept, Words.FORGET));
  }

  public VisitResult withAliases(List<String> identities) {
    return new VisitResult(kind, bytes, retryAfter, hostPause, words, identities, links);
  }

  public VisitResult withLinks(List<FrontierLink> found) {
    return new VisitResult(kind, bytes, retryAfter, hostPause, words, aliases, found);
  }

  /// The same; the whole host is left alone for so long.
  public VisitResult withHostPause(Duration pause) {
    return new VisitResult(kind, bytes, retryAfter, pause, words, aliases, links);
  }

  public VisitResult withBytes(long count) {
    return new VisitResult(kind, count, retryAfter, hostPause, words, aliases, links);
  }
}

package io.tidemill.search;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A page as it is indexed.
///
/// @param url normalised: the page's identity (C4.4)
/// @param fetchedUrl as it was fetched, for people to open; `url` when nobody said (C4.4)
/// @param title in its own case
/// @param main the main text, in its own case; paragraphs are lines
/// @param rest the text around it: navigation, footers
/// @param language ISO 639-1, empty when unknown
/// @param type media type such as `text/html`, empty when unknown
/// @param fetchedAt of two versions the later one is kept (F38)
/// @param crawlId empty when another program published it
/// @param contentHash of the text, hex
/// @param messageId of its message, empty when it had none
public record PageDocument(
    String url,
    String fetchedUrl,
    String title,
    String description,
    String main,
    String rest,
    String language,
    String type,
    int statusCode,
    Instant fetchedAt,
    @Nullable Instant publishedAt,
    String crawlId,
    String contentHash,
    String messageId) {
  /// A page of which only the identity is known, not how its URL was spelled.
  public PageDocument(
      String url,
      String title,
      String description,
      String main,
      String rest,
      String language,
      String type,
      int statusCode,
      Instant fetchedAt,
      @Nullable Instant publishedAt,
      String crawlId,
      String contentHash,
      String messageId) {
    this(
        url,
        url,
        title,
        description,
        main,
        rest,
        language,
        type,
        statusCode,
        fetchedAt,
        publishedAt,
        crawlId,
        contentHash,
        messageId);
  }
}

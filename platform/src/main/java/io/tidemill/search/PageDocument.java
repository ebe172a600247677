package io.tidemill.search;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One page as the index keeps it.
///
/// @param url normalised: the page's identity (C4.4)
/// @param title for people, in its own case
/// @param main what the page is about, in its own case; paragraphs are lines
/// @param rest the text around it: navigation, footers
/// @param language ISO 639-1, empty when unknown
/// @param type media type such as `text/html`, empty when unknown
/// @param fetchedAt decides between two versions of a page: the later one stays (F38)
/// @param crawlId the crawl that brought it, empty when a stranger published it
/// @param contentHash of the text, hex
/// @param messageId of the message that brought it, empty when it had none
public record PageDocument(
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
    String messageId) {}

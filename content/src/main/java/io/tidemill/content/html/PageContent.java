package io.tidemill.content.html;

import io.tidemill.content.robots.PageRules;
import io.tidemill.contract.page.PageText;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a page says and about itself.
///
/// @param title empty when it has none
/// @param description empty when it has none
/// @param language ISO 639-1; empty when unknown
/// @param canonical the URL that the page gives as its own
/// @param rules what it asks of crawlers, in the page and in its headers
/// @param charset as the Encoding Standard names it
/// @param mediaType lower case, without parameters; what it was read as
/// @param feeds URLs of feeds about the same
/// @param type as Open Graph has it, such as `article`; empty when not said
public record PageContent(
    String title,
    String description,
    PageText text,
    String language,
    @Nullable String canonical,
    List<PageLink> links,
    PageRules rules,
    @Nullable Instant publishedAt,
    @Nullable Instant modifiedAt,
    String charset,
    String mediaType,
    List<String> feeds,
    String type)
    implements PageReading {

  /// A body that is no page: an image, a film, a document for another reader.
  public record Unsupported(String mediaType) implements PageReading {}

  public PageContent {
    links = List.copyOf(links);
    feeds = List.copyOf(feeds);
  }
}

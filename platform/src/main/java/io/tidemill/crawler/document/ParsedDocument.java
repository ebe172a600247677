package io.tidemill.crawler.document;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The text of a document and what it says about itself.
///
/// @param mediaType what it turned out to be
/// @param title empty when it has none
/// @param text one line a paragraph
/// @param language the tag that it declares; empty when it has none
public record ParsedDocument(
    String mediaType,
    String title,
    String text,
    String language,
    @Nullable Instant createdAt,
    @Nullable Instant modifiedAt)
    implements DocumentReading {}

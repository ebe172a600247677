package io.tidemill.contract.page;

import java.time.Instant;

/// One crawled page on its way to the index (C4.2).
///
/// @param url normalised (C4.4)
/// @param text tags removed, lower-cased, white space collapsed (C4.5)
/// @param description empty when the page has none
public record PageMessage(
    String url, String text, String title, String description, Instant timestamp, int statusCode) {}

package io.tidemill.content.html;

/// What became of a body: a page, or something that has no text for us.
public sealed interface PageReading permits PageContent, PageContent.Unsupported {}

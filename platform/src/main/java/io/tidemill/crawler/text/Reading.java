package io.tidemill.crawler.text;

/// What became of a body: a page, or something that has no text for us.
public sealed interface Reading permits PageContent, PageContent.Unsupported {}
